import { describe, expect, test } from 'bun:test'
import { answer, OTHER_PUBLIC, PUBLIC, PUBLIC_6, redirect } from './testing/internet.ts'
import { useInternet } from './testing/use-internet.ts'

const { prepare, get } = useInternet()

describe('which address is dialled', () => {
  test('a resolver that changes its answer: the second one is never used, since it is never asked for', async () => {
    const internet = await prepare()
    internet.names.set('wechsel.example', [[PUBLIC], ['127.0.0.1'], ['10.0.0.1']])
    internet.pages.set('wechsel.example/', answer('public'))
    expect(await get('http://wechsel.example/')).toBe('public')
    expect([internet.asked, internet.dialled]).toEqual([['wechsel.example'], [`${PUBLIC} 80`]])
  })

  test('and when a redirect leads to the same name again, it is asked and judged anew', async () => {
    const internet = await prepare()
    internet.names.set('wechsel.example', [[PUBLIC], ['127.0.0.1']])
    internet.pages.set('wechsel.example/', redirect('http://wechsel.example/again'))
    internet.pages.set('wechsel.example/again', answer('inside'))
    expect(await get('http://wechsel.example/')).toBe('fetch-network')
    expect(internet.dialled).toEqual([`${PUBLIC} 80`])
  })

  test.each([[[PUBLIC, '127.0.0.1']], [['127.0.0.1', PUBLIC]], [[PUBLIC_6, 'fd00::1']], [['::1']]])(
    'public and private mixed (%p): refused, nothing dialled',
    async addresses => {
      const internet = await prepare()
      internet.names.set('gemischt.example', [addresses])
      expect(await get('http://gemischt.example/')).toBe('fetch-network')
      expect(internet.dialled).toEqual([])
    },
  )

  test('the next one when the first refuses, the families by turns', async () => {
    const internet = await prepare()
    internet.names.set('viele.example', [[PUBLIC_6, '2606:2800::2', '2606:2800::3', PUBLIC, OTHER_PUBLIC]])
    internet.pages.set('viele.example/', answer('found'))
    for (const address of [PUBLIC_6, '2606:2800::2', PUBLIC]) internet.refusing.add(address)
    expect(await get('http://viele.example/')).toBe('found')
    expect(internet.dialled).toEqual(
      [PUBLIC_6, PUBLIC, '2606:2800::2', OTHER_PUBLIC].map(address => `${address} 80`),
    )
  })

  test('none answers', async () => {
    const internet = await prepare()
    internet.refusing.add(PUBLIC)
    expect(await get('http://bilder.example/')).toBe('source-unreachable')
  })

  test('a name that does not resolve', async () => {
    const internet = await prepare()
    expect(await get('http://unbekannt.example/')).toBe('source-unresolved')
    expect(internet.dialled).toEqual([])
  })
})
