import { describe, expect, test } from 'bun:test'
import { useWorld } from './testing/use-world.ts'
import { answer, OTHER_PUBLIC, PUBLIC, type World } from './testing/world.ts'

const { prepare, get } = useWorld()

describe('TLS', () => {
  const page = (world: World) => world.pages.set('sicher.example/', answer('secret'))

  test('the certificate is checked against the name that was asked for, at the address that was checked', async () => {
    const world = await prepare()
    page(world)
    expect(await get('https://sicher.example/')).toBe('secret')
    expect([world.dialled, world.serverNames]).toEqual([[`${PUBLIC} 443`], ['sicher.example']])
  })

  test('a final dot is not part of the name', async () => {
    const world = await prepare()
    world.pages.set('sicher.example./', answer('dotted'))
    expect(await get('https://sicher.example./')).toBe('dotted')
    expect(world.serverNames).toEqual(['sicher.example'])
  })

  test('an address in the URL must stand in the certificate', async () => {
    const world = await prepare()
    world.pages.set(`${PUBLIC}/`, answer('by number'))
    expect(await get(`https://${PUBLIC}/`)).toBe('by number')
    expect(world.serverNames).toEqual([''])
    expect(await get(`https://${OTHER_PUBLIC}/`)).toBe('source-untrusted')
  })

  test('another name than the certificate’s', async () => {
    await prepare()
    expect(await get('https://bilder.example/')).toBe('source-untrusted')
  })

  test('an authority that nobody knows', async () => {
    const world = await prepare({ trusted: false })
    page(world)
    expect(await get('https://sicher.example/')).toBe('source-untrusted')
  })

  test('a certificate that has expired', async () => {
    const world = await prepare({ certificate: 'expired' })
    page(world)
    expect(await get('https://sicher.example/')).toBe('source-untrusted')
    expect(world.requests).toEqual([])
  })

  test('NODE_TLS_REJECT_UNAUTHORIZED changes nothing', async () => {
    const world = await prepare({ trusted: false })
    page(world)
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
