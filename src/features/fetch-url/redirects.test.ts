import { describe, expect, test } from 'bun:test'
import { withSource } from './redirects.ts'
import { answer, type Internet, PUBLIC_ADDRESS, redirect } from './testing/internet.ts'
import { useInternet } from './testing/use-internet.ts'

const { prepare, fetchText: get } = useInternet()

describe('redirects', () => {
  test.each([301, 302, 303, 307, 308])('%d is followed', async status => {
    const internet = await prepare()
    internet.pages.set('bilder.example/', redirect('/b', status))
    internet.pages.set('bilder.example/b', answer('there'))
    expect(await get('http://bilder.example/')).toBe('there')
    expect(internet.resolvedNames).toEqual(['bilder.example', 'bilder.example'])
  })

  test.each([
    ['http://127.0.0.1/', 'fetch-network'],
    ['http://0x7f.1/', 'fetch-network'],
    ['http://2130706433/', 'fetch-network'],
    ['//169.254.169.254/latest/meta-data/', 'fetch-network'],
    ['http://[::1]/', 'fetch-network'],
    ['http://innen.example/', 'fetch-network'],
    ['http://bilder.example:8080/', 'fetch-port'],
    ['https://bilder.example:8443/', 'fetch-port'],
    ['file:///etc/passwd', 'fetch-scheme'],
    ['ftp://bilder.example/', 'fetch-scheme'],
    ['gopher://bilder.example/', 'fetch-scheme'],
    ['data:text/plain,x', 'fetch-scheme'],
    ['http://user:pw@bilder.example/', 'fetch-credentials'],
    ['http://256.256.256.256/', 'source-malformed'],
    ['http://[', 'source-malformed'],
  ])('to %s is refused: %s', async (to, expected) => {
    const internet = await prepare()
    internet.names.set('innen.example', [['192.168.0.1']])
    internet.pages.set('bilder.example/', redirect(to))
    expect(await get('http://bilder.example/')).toBe(expected)
    expect(internet.dialledAddresses).toEqual([`${PUBLIC_ADDRESS} 80`])
  })

  const chain = (internet: Internet, length: number) => {
    for (let at = 0; at < length; at++) internet.pages.set(`bilder.example/${at}`, redirect(`/${at + 1}`))
    internet.pages.set(`bilder.example/${length}`, answer('end'))
  }

  test('five are followed', async () => {
    const internet = await prepare()
    chain(internet, 5)
    expect(await get('http://bilder.example/0')).toBe('end')
    expect(internet.requests.length).toBe(6)
  })

  test('six are not', async () => {
    const internet = await prepare()
    chain(internet, 6)
    expect(await get('http://bilder.example/0')).toBe('source-redirects')
    expect(internet.requests.length).toBe(6)
  })

  test('a loop ends', async () => {
    const internet = await prepare()
    internet.pages.set('bilder.example/', redirect('/'))
    expect(await get('http://bilder.example/')).toBe('source-redirects')
    expect(internet.requests.length).toBe(6)
  })

  test('to another scheme and host, each with its own Host', async () => {
    const internet = await prepare()
    internet.pages.set('bilder.example/', redirect('https://sicher.example/x'))
    internet.pages.set('sicher.example/x', answer('secure'))
    expect(await get('http://bilder.example/')).toBe('secure')
    expect(internet.dialledAddresses).toEqual([`${PUBLIC_ADDRESS} 80`, `${PUBLIC_ADDRESS} 443`])
  })

  test('the source knows where it was found', async () => {
    const internet = await prepare()
    internet.pages.set('bilder.example/', redirect('/found.png'))
    internet.pages.set('bilder.example/found.png', answer('x', 'Content-Type: image/png\r\n'))
    const found = await withSource(
      'http://bilder.example/',
      internet.network,
      new AbortController().signal,
      async source => source,
    )
    expect([found.url.href, found.contentType, found.announcedBytes]).toEqual([
      'http://bilder.example/found.png',
      'image/png',
      1,
    ])
  })
})
