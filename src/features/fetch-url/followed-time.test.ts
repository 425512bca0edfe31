import { describe, expect, test } from 'bun:test'
import { answer, OTHER_PUBLIC_ADDRESS, PUBLIC_ADDRESS, redirect } from './testing/internet.ts'
import { useInternet } from './testing/use-internet.ts'

const { prepare, fetchText: get } = useInternet()

describe('time', () => {
  test('a resolver that never answers', async () => {
    const internet = await prepare({ limits: { connect: 100 } })
    internet.network.resolve = () => new Promise(() => {})
    expect(await get('http://bilder.example/')).toBe('source-too-slow')
  })

  test('a server that agrees on nothing', async () => {
    const internet = await prepare({ limits: { connect: 150 } })
    internet.silentAddresses.add(PUBLIC_ADDRESS)
    expect(await get('https://sicher.example/')).toBe('source-too-slow')
  })

  test('a server that never answers', async () => {
    const internet = await prepare({ limits: { stall: 150 } })
    internet.silentAddresses.add(PUBLIC_ADDRESS)
    expect(await get('http://bilder.example/')).toBe('source-too-slow')
  })

  test('a body that stalls', async () => {
    const internet = await prepare({ limits: { stall: 150 } })
    internet.pages.set('bilder.example/', socket =>
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc'),
    )
    expect(await get('http://bilder.example/')).toBe('source-too-slow')
  })

  const drip = (piece: string) => (socket: { write(text: string): unknown; destroyed: boolean }) => {
    const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write(piece)), 20)
  }

  test('a body that drips, never stalling, and never ending', async () => {
    const internet = await prepare({ limits: { stall: 200, total: 300 } })
    internet.pages.set('bilder.example/', socket => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n')
      drip('x')(socket)
    })
    const time = AbortSignal.timeout(300)
    expect(await get('http://bilder.example/', time)).toBe('source-too-slow')
  })

  test('a body that takes its time, but moves on', async () => {
    const internet = await prepare({ limits: { stall: 700 } })
    internet.pages.set('bilder.example/', async socket => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n')
      for (let at = 0; at < 10; at++) {
        await Bun.sleep(100)
        socket.write('x')
      }
    })
    expect(await get('http://bilder.example/')).toBe('x'.repeat(10))
  })

  test('a head that drips', async () => {
    const internet = await prepare()
    internet.pages.set('bilder.example/', socket => {
      socket.write('HTTP/1.1 200 OK\r\n')
      drip('X: y\r\n')(socket)
    })
    expect(await get('http://bilder.example/', AbortSignal.timeout(300))).toBe('source-too-slow')
  })

  test('redirects share one time', async () => {
    const internet = await prepare()
    internet.pages.set('bilder.example/', socket => setTimeout(() => socket.end(redirect('/')), 120))
    expect(await get('http://bilder.example/', AbortSignal.timeout(300))).toBe('source-too-slow')
    expect(internet.requests.length).toBeLessThan(5)
  })

  test('a slow address does not cost the next one', async () => {
    const internet = await prepare({ limits: { connect: 2000 } })
    internet.names.set('zwei.example', [[OTHER_PUBLIC_ADDRESS, PUBLIC_ADDRESS]])
    internet.pages.set('zwei.example/', answer('second'))
    const { dial } = internet.network
    // An address that never answers: the connection is never established.
    internet.network.dial = (address, port) => {
      const socket = dial(address, port)
      if (address === OTHER_PUBLIC_ADDRESS) socket.removeAllListeners('connect').emit = () => false
      return socket
    }
    expect(await get('http://zwei.example/')).toBe('second')
  })

  test('whoever asked has gone: the connection is ended', async () => {
    const internet = await prepare()
    const closed = Promise.withResolvers<void>()
    internet.pages.set('bilder.example/', socket => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc')
      socket.on('close', () => closed.resolve())
    })
    const gone = new AbortController()
    setTimeout(() => gone.abort(), 100)
    expect(await get('http://bilder.example/', gone.signal)).toBe('body-cut')
    await closed.promise
  })
})
