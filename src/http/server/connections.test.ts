import { describe, expect, test } from 'bun:test'
import { createConnections, type Overload } from './connections.ts'
import { echoPath, getRequest, postRequest, readBodies, until, useServers } from './testing.ts'

const { serve, connectTo } = useServers()

let uses = 0
const connection = (isIdle = true) => {
  const each = {
    isIdle,
    lastUse: ++uses,
    isGivenUp: false,
    close() {
      each.isGivenUp = true
    },
  }
  return each
}

describe('connections', () => {
  const limits = { total: 4, perNetwork: 2, refusals: 1 }
  const make = () => {
    const crowds: Overload[] = []
    const connections = createConnections<ReturnType<typeof connection>>(limits, crowd => crowds.push(crowd))
    return { connections, crowds }
  }

  test('over the limit close the one that has been idle longest', () => {
    const { connections, crowds } = make()
    const [first, second, third, fourth] = Array.from({ length: 4 }, () => connection())
    for (const each of [first, second, third, fourth]) expect(connections.add(each!, null)).toBe('admitted')
    first!.lastUse = ++uses
    expect(connections.add(connection(), null)).toBe('admitted')
    expect([first, second, third, fourth].map(each => each!.isGivenUp)).toEqual([false, true, false, false])
    expect(connections.counts).toMatchObject({ open: 4, limit: 4, refused: 0, closedIdle: 1 })
    expect(crowds).toEqual([{ connections: 4 }])
  })

  test('are refused where none is idle, and dropped where enough are being refused', () => {
    const { connections } = make()
    for (let at = 0; at < 4; at++) connections.add(connection(false), null)
    const refused = connection()
    expect(connections.add(refused, null)).toBe('refused')
    expect(connections.add(connection(), null)).toBe('dropped')
    connections.remove(refused)
    expect(connections.add(connection(), null)).toBe('refused')
    expect(connections.counts).toMatchObject({ open: 4, refused: 3, closedIdle: 0 })
    expect([...connections]).toHaveLength(5)
  })

  test('of one network give way among themselves', () => {
    const { connections, crowds } = make()
    const other = connection()
    connections.add(other, 'b')
    const own = [connection(), connection()]
    for (const each of own) connections.add(each, 'a')
    expect(connections.add(connection(false), 'a')).toBe('admitted')
    expect([other, ...own].map(each => each.isGivenUp)).toEqual([false, true, false])
    expect(connections.add(connection(false), 'a')).toBe('admitted')
    expect(connections.add(connection(), 'a')).toBe('refused')
    expect(connections.add(connection(), 'b')).toBe('admitted')
    expect(crowds).toEqual([{ connections: 3, network: 'a' }])
  })

  test('that are gone leave room in their network', () => {
    const { connections } = make()
    for (let at = 0; at < 10; at++) {
      const each = connection(false)
      expect(connections.add(each, 'a')).toBe('admitted')
      connections.remove(each)
    }
    expect(connections.counts.open).toBe(0)
  })

  test('without a network are limited in all only, as those of a proxy', () => {
    const { connections } = make()
    for (let at = 0; at < 4; at++) expect(connections.add(connection(false), null)).toBe('admitted')
    expect(connections.add(connection(), null)).toBe('refused')
  })

  test('that are too many are told once, and again after a calm minute', () => {
    const { connections, crowds } = make()
    for (let at = 0; at < 50; at++) connections.add(connection(), null)
    for (let look = 0; look < 11; look++) connections.countCheck()
    connections.add(connection(), null)
    expect(crowds).toHaveLength(1)
    for (let look = 0; look < 12; look++) connections.countCheck()
    connections.add(connection(), null)
    expect(crowds).toHaveLength(2)
  })
})

describe('a server with few connections', () => {
  const connectionLimits = { total: 3, perNetwork: 3, refusals: 2 }

  test('closes the longest idle one for a new one, one with half a head too', async () => {
    const server = serve(echoPath, undefined, { connectionLimits })
    const clients = Array.from({ length: 3 }, () => connectTo(server))
    for (const [at, client] of clients.entries()) await readBodies(client.send(getRequest(`/${at}`)), 1)
    clients[1]!.send('GET / HT')
    await readBodies(clients[0]!.send(getRequest('/again')), 1)
    expect(await readBodies(connectTo(server).send(getRequest('/new')), 1)).toEqual(['/new'])
    expect(await clients[1]!.waitForEnd()).toBe('ended')
    expect([clients[0]!.connectionState, clients[2]!.connectionState]).toEqual(['open', 'open'])
    expect(server.connections).toMatchObject({ open: 3, refused: 0, closedIdle: 1 })
  })

  test('refuses new ones with an answer while all are busy, and takes them again afterwards', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const server = serve(
      async ({ url }) => {
        await promise
        return new Response(url)
      },
      undefined,
      { connectionLimits },
    )
    const busy = [getRequest('/a'), postRequest('b'), getRequest('/c')].map(request =>
      connectTo(server).send(request),
    )
    await until(() => server.pendingRequests === 3)
    const late = connectTo(server).send(getRequest('/late'))
    const { status, headers } = await late.answer()
    expect([status, headers.get('Connection')]).toEqual([503, 'close'])
    expect(await late.waitForEnd()).toBe('ended')
    late.socket.destroy()
    resolve()
    for (const client of busy) expect((await client.answer()).status).toBe(200)
    expect(await readBodies(connectTo(server).send(getRequest('/next')), 1)).toEqual(['/next'])
  })
})
