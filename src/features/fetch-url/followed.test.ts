import { describe, expect, test } from 'bun:test'
import { answer, PUBLIC_ADDRESS } from './testing/internet.ts'
import { useInternet } from './testing/use-internet.ts'

const { prepare, fetchText: get } = useInternet()

describe('a plain fetch', () => {
  test('asks once, dials what was answered, sends the name and nothing that identifies anybody', async () => {
    const internet = await prepare()
    internet.pages.set('bilder.example/a.png?x=1', answer('picture'))
    expect(await get('http://bilder.example/a.png?x=1#part')).toBe('picture')
    expect([internet.resolvedNames, internet.dialledAddresses]).toEqual([
      ['bilder.example'],
      [`${PUBLIC_ADDRESS} 80`],
    ])
    expect(
      internet.requests[0]!.split('\r\n')
        .filter(line => line !== '')
        .toSorted(),
    ).toEqual([
      'Accept-Encoding: identity',
      'Accept: */*',
      'Connection: close',
      'GET /a.png?x=1 HTTP/1.1',
      'Host: bilder.example',
      'User-Agent: Fundus',
    ])
  })

  test('no proxy of the environment is asked', async () => {
    const internet = await prepare()
    internet.pages.set('bilder.example/', answer('direct'))
    const before = { ...process.env }
    const proxies = ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy']
    for (const name of proxies) process.env[name] = 'http://127.0.0.1:1'
    try {
      expect(await get('http://bilder.example/')).toBe('direct')
    } finally {
      for (const name of proxies) {
        if (before[name] === undefined) delete process.env[name]
        else process.env[name] = before[name]
      }
    }
  })

  test('an address in the URL is dialled without asking', async () => {
    const internet = await prepare()
    internet.pages.set(`${PUBLIC_ADDRESS}/`, answer('literal'))
    expect(await get(`http://${PUBLIC_ADDRESS}/`)).toBe('literal')
    expect([internet.resolvedNames, internet.dialledAddresses]).toEqual([[], [`${PUBLIC_ADDRESS} 80`]])
  })

  test('port 443 without TLS, as the address says', async () => {
    const internet = await prepare()
    expect(await get('http://bilder.example:443/')).not.toBe('fetch-port')
    expect(internet.dialledAddresses).toEqual([`${PUBLIC_ADDRESS} 443`])
  })

  test.each([
    ['HTTP/1.1 200 OK\r\n\r\nuntil the end', 'until the end'],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n', 'abcde'],
    ['HTTP/1.0 200 OK\r\nContent-Length: 3\r\n\r\nold', 'old'],
    ['HTTP/1.1 203 Fine\r\nContent-Length: 3\r\n\r\n203', '203'],
    ['HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi', 'hi'],
    ['HTTP/1.1 200 OK\r\nContent-Encoding: identity\r\nContent-Length: 2\r\n\r\nas', 'as'],
  ])('%p is understood', async (reply, expected) => {
    const internet = await prepare()
    internet.pages.set('bilder.example/', reply)
    expect(await get('http://bilder.example/')).toBe(expected)
  })

  test.each([
    ['HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\ngone', 'source-status'],
    ['HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n', 'source-status'],
    ['HTTP/1.1 204 None\r\n\r\n', 'source-status'],
    ['HTTP/1.1 206 Part\r\nContent-Length: 2\r\n\r\nab', 'source-status'],
    ['HTTP/1.1 304 Same\r\n\r\n', 'source-status'],
    ['HTTP/1.1 300 Choose\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n', 'source-status'],
    ['HTTP/1.1 302 Where\r\nContent-Length: 0\r\n\r\n', 'source-status'],
    ['HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\nab', 'source-encoded'],
    ['HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: 2\r\n\r\nab', 'source-encoded'],
    ['HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\ncut', 'source-cut'],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n', 'source-cut'],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel', 'source-cut'],
    ['', 'source-cut'],
    ['HTTP/1.1 200 OK\r\nContent-Le', 'source-cut'],
    ['HTTP/1.1 101 Switch\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\nxx', 'source-cut'],
    ['SSH-2.0-OpenSSH_9.6\r\n', 'source-malformed'],
    ['+OK POP3 ready\r\n', 'source-malformed'],
    ['HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nx', 'source-malformed'],
    ['HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nabc', 'source-malformed'],
  ])('%p is refused: %s', async (reply, expected) => {
    const internet = await prepare()
    internet.pages.set('bilder.example/', reply)
    expect(await get('http://bilder.example/')).toBe(expected)
  })

  test('a head without end', async () => {
    const internet = await prepare()
    internet.pages.set('bilder.example/', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(200_000)}\r\n\r\n`)
    expect(await get('http://bilder.example/')).toBe('source-malformed')
  })

  test('a connection that breaks in the middle', async () => {
    const internet = await prepare()
    internet.pages.set('bilder.example/', socket => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf')
      setTimeout(() => socket.resetAndDestroy(), 50)
    })
    expect(await get('http://bilder.example/')).toBe('source-cut')
  })
})
