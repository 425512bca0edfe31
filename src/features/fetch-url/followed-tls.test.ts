import { describe, expect, test } from 'bun:test'
import { answer, type Internet, OTHER_PUBLIC_ADDRESS, PUBLIC_ADDRESS } from './testing/internet.ts'
import { useInternet } from './testing/use-internet.ts'

const { prepare, fetchText: get } = useInternet()

describe('TLS', () => {
  const page = (internet: Internet) => internet.pages.set('sicher.example/', answer('secret'))

  test('the certificate is checked against the name that was asked for, at the address that was checked', async () => {
    const internet = await prepare()
    page(internet)
    expect(await get('https://sicher.example/')).toBe('secret')
    expect([internet.dialledAddresses, internet.serverNames]).toEqual([
      [`${PUBLIC_ADDRESS} 443`],
      ['sicher.example'],
    ])
  })

  test('a final dot is not part of the name', async () => {
    const internet = await prepare()
    internet.pages.set('sicher.example./', answer('dotted'))
    expect(await get('https://sicher.example./')).toBe('dotted')
    expect(internet.serverNames).toEqual(['sicher.example'])
  })

  test('an address in the URL must stand in the certificate', async () => {
    const internet = await prepare()
    internet.pages.set(`${PUBLIC_ADDRESS}/`, answer('by number'))
    expect(await get(`https://${PUBLIC_ADDRESS}/`)).toBe('by number')
    expect(internet.serverNames).toEqual([''])
    expect(await get(`https://${OTHER_PUBLIC_ADDRESS}/`)).toBe('source-untrusted')
  })

  test('another name than the certificate’s', async () => {
    await prepare()
    expect(await get('https://bilder.example/')).toBe('source-untrusted')
  })

  test('an authority that nobody knows', async () => {
    const internet = await prepare({ isTrusted: false })
    page(internet)
    expect(await get('https://sicher.example/')).toBe('source-untrusted')
  })

  test('a certificate that has expired', async () => {
    const internet = await prepare({ certificate: 'expired' })
    page(internet)
    expect(await get('https://sicher.example/')).toBe('source-untrusted')
    expect(internet.requests).toEqual([])
  })

  test('NODE_TLS_REJECT_UNAUTHORIZED changes nothing', async () => {
    const internet = await prepare({ isTrusted: false })
    page(internet)
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    try {
      expect(await get('https://sicher.example/')).toBe('source-untrusted')
    } finally {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
    }
  })

  test('no TLS on the other side', async () => {
    await prepare()
    expect(await get('https://sicher.example:80/')).toBe('source-untrusted')
  })
})
