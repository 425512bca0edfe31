import { afterEach, describe, expect, test } from 'bun:test'
import { Failure } from '../../errors.ts'
import { type Source, withSource } from './source.ts'
import {
  answer,
  createWorld,
  OTHER_PUBLIC,
  PUBLIC,
  PUBLIC_6,
  redirect,
  type World,
  type WorldOptions,
} from './testing/world.ts'

let world: World
afterEach(() => world?.[Symbol.asyncDispose]())

async function prepare(options: WorldOptions = {}): Promise<void> {
  world = await createWorld(options)
  world.names.set('bilder.example', [[PUBLIC]])
  world.names.set('sicher.example', [[PUBLIC]])
}

const forever = new AbortController().signal
const text = async (source: Source) => Buffer.concat(await Array.fromAsync(source.bytes)).toString('latin1')

/** The text of the file at an address, or the code it is refused with. */
async function get(address: string, time: AbortSignal = forever): Promise<string> {
  try {
    return await withSource(address, world.network, time, text)
  } catch (error) {
    if (error instanceof Failure) return error.code
    throw error
  }
}

describe('a plain fetch', () => {
  test('asks once, dials what was answered, sends the name and nothing that identifies anybody', async () => {
    await prepare()
    world.pages.set('bilder.example/a.png?x=1', answer('picture'))
    expect(await get('http://bilder.example/a.png?x=1#part')).toBe('picture')
    expect([world.asked, world.dialled]).toEqual([['bilder.example'], [`${PUBLIC} 80`]])
    expect(
      world.requests[0]!.split('\r\n')
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
    await prepare()
    world.pages.set('bilder.example/', answer('direct'))
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
    await prepare()
    world.pages.set(`${PUBLIC}/`, answer('literal'))
    expect(await get(`http://${PUBLIC}/`)).toBe('literal')
    expect([world.asked, world.dialled]).toEqual([[], [`${PUBLIC} 80`]])
  })

  test('port 443 without TLS, as the address says', async () => {
    await prepare()
    expect(await get('http://bilder.example:443/')).not.toBe('fetch-port')
    expect(world.dialled).toEqual([`${PUBLIC} 443`])
  })

  test.each([
    ['HTTP/1.1 200 OK\r\n\r\nuntil the end', 'until the end'],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n', 'abcde'],
    ['HTTP/1.0 200 OK\r\nContent-Length: 3\r\n\r\nold', 'old'],
    ['HTTP/1.1 203 Fine\r\nContent-Length: 3\r\n\r\n203', '203'],
    ['HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi', 'hi'],
    ['HTTP/1.1 200 OK\r\nContent-Encoding: identity\r\nContent-Length: 2\r\n\r\nas', 'as'],
  ])('%p is understood', async (reply, expected) => {
    await prepare()
    world.pages.set('bilder.example/', reply)
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
    await prepare()
    world.pages.set('bilder.example/', reply)
    expect(await get('http://bilder.example/')).toBe(expected)
  })

  test('a head without end', async () => {
    await prepare()
    world.pages.set('bilder.example/', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(200_000)}\r\n\r\n`)
    expect(await get('http://bilder.example/')).toBe('source-malformed')
  })

  test('a connection that breaks in the middle', async () => {
    await prepare()
    world.pages.set('bilder.example/', socket => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf')
      setTimeout(() => socket.resetAndDestroy(), 50)
    })
    expect(await get('http://bilder.example/')).toBe('source-cut')
  })
})

describe('which address is dialled', () => {
  test('a resolver that changes its answer: the second one is never used, since it is never asked for', async () => {
    await prepare()
    world.names.set('wechsel.example', [[PUBLIC], ['127.0.0.1'], ['10.0.0.1']])
    world.pages.set('wechsel.example/', answer('public'))
    expect(await get('http://wechsel.example/')).toBe('public')
    expect([world.asked, world.dialled]).toEqual([['wechsel.example'], [`${PUBLIC} 80`]])
  })

  test('and when a redirect leads to the same name again, it is asked and judged anew', async () => {
    await prepare()
    world.names.set('wechsel.example', [[PUBLIC], ['127.0.0.1']])
    world.pages.set('wechsel.example/', redirect('http://wechsel.example/again'))
    world.pages.set('wechsel.example/again', answer('inside'))
    expect(await get('http://wechsel.example/')).toBe('fetch-network')
    expect(world.dialled).toEqual([`${PUBLIC} 80`])
  })

  test.each([[[PUBLIC, '127.0.0.1']], [['127.0.0.1', PUBLIC]], [[PUBLIC_6, 'fd00::1']], [['::1']]])(
    'public and private mixed (%p): refused, nothing dialled',
    async addresses => {
      await prepare()
      world.names.set('gemischt.example', [addresses])
      expect(await get('http://gemischt.example/')).toBe('fetch-network')
      expect(world.dialled).toEqual([])
    },
  )

  test('the next one when the first refuses, the families by turns', async () => {
    await prepare()
    world.names.set('viele.example', [[PUBLIC_6, '2606:2800::2', '2606:2800::3', PUBLIC, OTHER_PUBLIC]])
    world.pages.set('viele.example/', answer('found'))
    for (const address of [PUBLIC_6, '2606:2800::2', PUBLIC]) world.refusing.add(address)
    expect(await get('http://viele.example/')).toBe('found')
    expect(world.dialled).toEqual(
      [PUBLIC_6, PUBLIC, '2606:2800::2', OTHER_PUBLIC].map(address => `${address} 80`),
    )
  })

  test('none answers', async () => {
    await prepare()
    world.refusing.add(PUBLIC)
    expect(await get('http://bilder.example/')).toBe('source-unreachable')
  })

  test('a name that does not resolve', async () => {
    await prepare()
    expect(await get('http://unbekannt.example/')).toBe('source-unresolved')
    expect(world.dialled).toEqual([])
  })
})

describe('redirects', () => {
  test.each([301, 302, 303, 307, 308])('%d is followed', async status => {
    await prepare()
    world.pages.set('bilder.example/', redirect('/b', status))
    world.pages.set('bilder.example/b', answer('there'))
    expect(await get('http://bilder.example/')).toBe('there')
    expect(world.asked).toEqual(['bilder.example', 'bilder.example'])
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
    await prepare()
    world.names.set('innen.example', [['192.168.0.1']])
    world.pages.set('bilder.example/', redirect(to))
    expect(await get('http://bilder.example/')).toBe(expected)
    expect(world.dialled).toEqual([`${PUBLIC} 80`])
  })

  const chain = (length: number) => {
    for (let at = 0; at < length; at++) world.pages.set(`bilder.example/${at}`, redirect(`/${at + 1}`))
    world.pages.set(`bilder.example/${length}`, answer('end'))
  }

  test('five are followed', async () => {
    await prepare()
    chain(5)
    expect(await get('http://bilder.example/0')).toBe('end')
    expect(world.requests.length).toBe(6)
  })

  test('six are not', async () => {
    await prepare()
    chain(6)
    expect(await get('http://bilder.example/0')).toBe('source-redirects')
    expect(world.requests.length).toBe(6)
  })

  test('a loop ends', async () => {
    await prepare()
    world.pages.set('bilder.example/', redirect('/'))
    expect(await get('http://bilder.example/')).toBe('source-redirects')
    expect(world.requests.length).toBe(6)
  })

  test('to another scheme and host, each with its own Host', async () => {
    await prepare()
    world.pages.set('bilder.example/', redirect('https://sicher.example/x'))
    world.pages.set('sicher.example/x', answer('secure'))
    expect(await get('http://bilder.example/')).toBe('secure')
    expect(world.dialled).toEqual([`${PUBLIC} 80`, `${PUBLIC} 443`])
  })

  test('the source knows where it was found', async () => {
    await prepare()
    world.pages.set('bilder.example/', redirect('/found.png'))
    world.pages.set('bilder.example/found.png', answer('x', 'Content-Type: image/png\r\n'))
    const found = await withSource('http://bilder.example/', world.network, forever, async source => source)
    expect([found.url.href, found.contentType, found.announced]).toEqual([
      'http://bilder.example/found.png',
      'image/png',
      1,
    ])
  })
})

describe('TLS', () => {
  const page = () => world.pages.set('sicher.example/', answer('secret'))

  test('the certificate is checked against the name that was asked for, at the address that was checked', async () => {
    await prepare()
    page()
    expect(await get('https://sicher.example/')).toBe('secret')
    expect(world.dialled).toEqual([`${PUBLIC} 443`])
  })

  test('a final dot is not part of the name', async () => {
    await prepare()
    world.pages.set('sicher.example./', answer('dotted'))
    expect(await get('https://sicher.example./')).toBe('dotted')
  })

  test('an address in the URL must stand in the certificate', async () => {
    await prepare()
    world.pages.set(`${PUBLIC}/`, answer('by number'))
    expect(await get(`https://${PUBLIC}/`)).toBe('by number')
    expect(await get(`https://${OTHER_PUBLIC}/`)).toBe('source-untrusted')
  })

  test('another name than the certificate’s', async () => {
    await prepare()
    expect(await get('https://bilder.example/')).toBe('source-untrusted')
  })

  test('an authority that nobody knows', async () => {
    await prepare({ trusted: false })
    page()
    expect(await get('https://sicher.example/')).toBe('source-untrusted')
  })

  test('a certificate that has expired', async () => {
    await prepare({ certificate: 'expired' })
    page()
    expect(await get('https://sicher.example/')).toBe('source-untrusted')
    expect(world.requests).toEqual([])
  })

  test('NODE_TLS_REJECT_UNAUTHORIZED changes nothing', async () => {
    await prepare({ trusted: false })
    page()
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

describe('time', () => {
  test('a resolver that never answers', async () => {
    await prepare({ limits: { connect: 100 } })
    world.network.resolve = () => new Promise(() => {})
    expect(await get('http://bilder.example/')).toBe('source-too-slow')
  })

  test('a server that agrees on nothing', async () => {
    await prepare({ limits: { connect: 150 } })
    world.deaf.add(PUBLIC)
    expect(await get('https://sicher.example/')).toBe('source-too-slow')
  })

  test('a server that never answers', async () => {
    await prepare({ limits: { stall: 150 } })
    world.deaf.add(PUBLIC)
    expect(await get('http://bilder.example/')).toBe('source-too-slow')
  })

  test('a body that stalls', async () => {
    await prepare({ limits: { stall: 150 } })
    world.pages.set('bilder.example/', socket =>
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc'),
    )
    expect(await get('http://bilder.example/')).toBe('source-too-slow')
  })

  const drip = (piece: string) => (socket: { write(text: string): unknown; destroyed: boolean }) => {
    const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write(piece)), 20)
  }

  test('a body that drips, never stalling, and never ending', async () => {
    await prepare({ limits: { stall: 200, total: 300 } })
    world.pages.set('bilder.example/', socket => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n')
      drip('x')(socket)
    })
    const time = AbortSignal.timeout(300)
    expect(await get('http://bilder.example/', time)).toBe('source-too-slow')
  })

  test('a head that drips', async () => {
    await prepare()
    world.pages.set('bilder.example/', socket => {
      socket.write('HTTP/1.1 200 OK\r\n')
      drip('X: y\r\n')(socket)
    })
    expect(await get('http://bilder.example/', AbortSignal.timeout(300))).toBe('source-too-slow')
  })

  test('redirects share one time', async () => {
    await prepare()
    world.pages.set('bilder.example/', socket => setTimeout(() => socket.end(redirect('/')), 120))
    expect(await get('http://bilder.example/', AbortSignal.timeout(300))).toBe('source-too-slow')
    expect(world.requests.length).toBeLessThan(5)
  })

  test('a slow address does not cost the next one', async () => {
    await prepare({ limits: { connect: 800 } })
    world.names.set('zwei.example', [[OTHER_PUBLIC, PUBLIC]])
    world.pages.set('zwei.example/', answer('second'))
    const { dial } = world.network
    // An address that swallows everything: the connection is never made.
    world.network.dial = (address, port) => {
      const socket = dial(address, port)
      if (address === OTHER_PUBLIC) socket.removeAllListeners('connect').emit = () => false
      return socket
    }
    expect(await get('http://zwei.example/')).toBe('second')
  })

  test('whoever asked has gone: the connection is ended', async () => {
    await prepare()
    const closed = Promise.withResolvers<void>()
    world.pages.set('bilder.example/', socket => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc')
      socket.on('close', () => closed.resolve())
    })
    const gone = new AbortController()
    setTimeout(() => gone.abort(), 100)
    expect(await get('http://bilder.example/', gone.signal)).toBe('body-cut')
    await closed.promise
  })
})
