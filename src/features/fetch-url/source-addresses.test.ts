import { describe, expect, test } from 'bun:test'
import { useWorld } from './testing/use-world.ts'
import { answer, OTHER_PUBLIC, PUBLIC, PUBLIC_6, redirect } from './testing/world.ts'

const { prepare, get } = useWorld()

describe('which address is dialled', () => {
  test('a resolver that changes its answer: the second one is never used, since it is never asked for', async () => {
    const world = await prepare()
    world.names.set('wechsel.example', [[PUBLIC], ['127.0.0.1'], ['10.0.0.1']])
    world.pages.set('wechsel.example/', answer('public'))
    expect(await get('http://wechsel.example/')).toBe('public')
    expect([world.asked, world.dialled]).toEqual([['wechsel.example'], [`${PUBLIC} 80`]])
  })

  test('and when a redirect leads to the same name again, it is asked and judged anew', async () => {
    const world = await prepare()
    world.names.set('wechsel.example', [[PUBLIC], ['127.0.0.1']])
    world.pages.set('wechsel.example/', redirect('http://wechsel.example/again'))
    world.pages.set('wechsel.example/again', answer('inside'))
    expect(await get('http://wechsel.example/')).toBe('fetch-network')
    expect(world.dialled).toEqual([`${PUBLIC} 80`])
  })

  test.each([[[PUBLIC, '127.0.0.1']], [['127.0.0.1', PUBLIC]], [[PUBLIC_6, 'fd00::1']], [['::1']]])(
    'public and private mixed (%p): refused, nothing dialled',
    async addresses => {
      const world = await prepare()
      world.names.set('gemischt.example', [addresses])
      expect(await get('http://gemischt.example/')).toBe('fetch-network')
      expect(world.dialled).toEqual([])
    },
  )

  test('the next one when the first refuses, the families by turns', async () => {
    const world = await prepare()
    world.names.set('viele.example', [[PUBLIC_6, '2606:2800::2', '2606:2800::3', PUBLIC, OTHER_PUBLIC]])
    world.pages.set('viele.example/', answer('found'))
    for (const address of [PUBLIC_6, '2606:2800::2', PUBLIC]) world.refusing.add(address)
    expect(await get('http://viele.example/')).toBe('found')
    expect(world.dialled).toEqual(
      [PUBLIC_6, PUBLIC, '2606:2800::2', OTHER_PUBLIC].map(address => `${address} 80`),
    )
  })

  test('none answers', async () => {
    const world = await prepare()
    world.refusing.add(PUBLIC)
    expect(await get('http://bilder.example/')).toBe('source-unreachable')
  })

  test('a name that does not resolve', async () => {
    const world = await prepare()
    expect(await get('http://unbekannt.example/')).toBe('source-unresolved')
    expect(world.dialled).toEqual([])
  })
})
