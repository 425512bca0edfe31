import { describe, expect, test } from 'bun:test'
import {
  answer,
  OTHER_PUBLIC_ADDRESS,
  PUBLIC_ADDRESS,
  PUBLIC_IPV6_ADDRESS,
  redirect,
} from './testing/internet.ts'
import { useInternet } from './testing/use-internet.ts'

const { prepare, fetchText: get } = useInternet()

describe('which address is dialled', () => {
  test('a resolver that changes its answer: the second one is never used, since it is never asked for', async () => {
    const internet = await prepare()
    internet.names.set('wechsel.example', [[PUBLIC_ADDRESS], ['127.0.0.1'], ['10.0.0.1']])
    internet.pages.set('wechsel.example/', answer('public'))
    expect(await get('http://wechsel.example/')).toBe('public')
    expect([internet.resolvedNames, internet.dialledAddresses]).toEqual([
      ['wechsel.example'],
      [`${PUBLIC_ADDRESS} 80`],
    ])
  })

  test('and when a redirect leads to the same name again, it is asked and judged anew', async () => {
    const internet = await prepare()
    internet.names.set('wechsel.example', [[PUBLIC_ADDRESS], ['127.0.0.1']])
    internet.pages.set('wechsel.example/', redirect('http://wechsel.example/again'))
    internet.pages.set('wechsel.example/again', answer('inside'))
    expect(await get('http://wechsel.example/')).toBe('fetch-network')
    expect(internet.dialledAddresses).toEqual([`${PUBLIC_ADDRESS} 80`])
  })

  test.each([
    [[PUBLIC_ADDRESS, '127.0.0.1']],
    [['127.0.0.1', PUBLIC_ADDRESS]],
    [[PUBLIC_IPV6_ADDRESS, 'fd00::1']],
    [['::1']],
  ])('public and private mixed (%p): refused, nothing dialled', async addresses => {
    const internet = await prepare()
    internet.names.set('gemischt.example', [addresses])
    expect(await get('http://gemischt.example/')).toBe('fetch-network')
    expect(internet.dialledAddresses).toEqual([])
  })

  test('the next one when the first refuses, the families by turns', async () => {
    const internet = await prepare()
    internet.names.set('viele.example', [
      [PUBLIC_IPV6_ADDRESS, '2606:2800::2', '2606:2800::3', PUBLIC_ADDRESS, OTHER_PUBLIC_ADDRESS],
    ])
    internet.pages.set('viele.example/', answer('found'))
    for (const address of [PUBLIC_IPV6_ADDRESS, '2606:2800::2', PUBLIC_ADDRESS])
      internet.refusingAddresses.add(address)
    expect(await get('http://viele.example/')).toBe('found')
    expect(internet.dialledAddresses).toEqual(
      [PUBLIC_IPV6_ADDRESS, PUBLIC_ADDRESS, '2606:2800::2', OTHER_PUBLIC_ADDRESS].map(
        address => `${address} 80`,
      ),
    )
  })

  test('none answers', async () => {
    const internet = await prepare()
    internet.refusingAddresses.add(PUBLIC_ADDRESS)
    expect(await get('http://bilder.example/')).toBe('source-unreachable')
  })

  test('a name that does not resolve', async () => {
    const internet = await prepare()
    expect(await get('http://unbekannt.example/')).toBe('source-unresolved')
    expect(internet.dialledAddresses).toEqual([])
  })
})
