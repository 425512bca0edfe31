/**
 * Attempts to smuggle a request through a proxy that keeps its connections to us. After each one, another
 * client sends a request over the same connections: it gets its own answer, and the proxy sent every request
 * that we parsed as one, which a header added by the proxy shows.
 */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { PeerRequest } from '../../src/http/server/http-server.ts'
import { useServers } from '../../src/http/server/testing.ts'
import { findProxy, PROXIES, type ProxyName, replaceOnce, startProxy } from '../support/proxies.ts'
import { head, openRaw, sendRaw } from '../support/raw.ts'
import { needsTool } from '../support/tools.ts'
import { PROBES } from './smuggling-probes.ts'

setDefaultTimeout(600_000)
const { serve } = useServers()

/** Milliseconds to wait for the attacker's answers: many probes leave a proxy waiting for more. */
const SILENCE = 150
const VICTIMS = 2

/** Configuration that makes a proxy share one connection among clients, if its file in deploy/ does not. */
const KEEPING: Readonly<Record<ProxyName, (file: string) => string>> = {
  nginx: file =>
    `upstream kept { server 127.0.0.1:8080; keepalive 4; }\n${replaceOnce(file, 'http://127.0.0.1:8080', 'http://kept')}`,
  Caddy: file => file,
  Apache: file => file,
  HAProxy: file => replaceOnce(file, 'mode http', 'mode http\n    http-reuse always'),
}

/** Our server, with a handler that records what it has parsed. */
function openRecording() {
  const seen: { line: string; isProxied: boolean }[] = []
  const figures = { connections: 0 }
  const handle = async (request: PeerRequest) => {
    const { method, url, headers } = request
    seen.push({ line: `${method} ${url}`, isProxied: headers.has('x-forwarded-for') })
    if (url === '/early') return new Response('refused early', { status: 401 })
    await request.bytes()
    return new Response(`for ${url}`)
  }
  const networkOf = () => {
    figures.connections++
    return null
  }
  return { seen, figures, server: serve(handle, undefined, { networkOf }) }
}

/** Everything that comes back within a short time. */
async function attack(port: number, wire: string): Promise<{ received: string } & Disposable> {
  const connection = await openRaw(port)
  await connection.write(Buffer.from(wire, 'latin1'))
  let received = ''
  for (;;) {
    const isHead = received === '' && wire.startsWith('HEAD ')
    const answer = await connection.answer({ deadlineMs: SILENCE, head: isHead }).catch(() => null)
    if (!answer) return { received, [Symbol.dispose]: connection.close }
    received += `${answer.status} ${await answer.text()}\n`
  }
}

/**
 * In these cases the standard says clearly that a second request follows: unknown headers, a valid end, an
 * upgrade that we ignore.
 */
const FOLLOWED = [
  'TE.CL, Transfer_Encoding: chunked',
  'POST, Content_Length: N',
  'chunks, extension at the end',
  'a length that is too short',
  'an upgrade to WebSocket',
  'an upgrade to HTTP/2',
]

test('without a proxy: the hidden request is read only where the standard says that it is one', async () => {
  const { seen, server } = openRecording()
  const followed: string[] = []
  for (const { name, wire } of PROBES) {
    using connection = await openRaw(server.port)
    // As if the next client's request followed on the same connection.
    await connection.write(Buffer.from(wire + head('GET /victim'), 'latin1'))
    connection.endSending()
    await connection.rest()
    if (seen.splice(0).some(({ line }) => line === 'GET /hidden')) followed.push(name)
  }
  expect(followed).toEqual(FOLLOWED)
})

describe.each(Object.keys(PROXIES) as ProxyName[])('%s', name => {
  needsTool(PROXIES[name].package, () => findProxy(name))

  test(`${PROBES.length} probes: no client's bytes are another one's request, and no answer goes astray`, async () => {
    const { seen, figures, server } = openRecording()
    await using proxy = await startProxy(name, server.port, KEEPING[name])
    let victims = 0
    const wrong: string[] = []
    const outcomes = { 'refused by the proxy': 0, 'refused by us': 0, answered: 0, unanswered: 0 }
    const askAsVictim = async (after: string) => {
      const path = `/victim/${victims++}`
      const answer = await sendRaw(proxy.port, head(`GET ${path}`, { Connection: 'close' })).catch(String)
      const text = typeof answer === 'string' ? answer : `${answer.status} ${await answer.text()}`
      if (text !== `200 for ${path}`) wrong.push(`${after}: the next client got ${text.slice(0, 200)}`)
    }
    for (let at = 0; at < 4; at++) await askAsVictim('nothing')
    for (const { name: probe, wire } of PROBES) {
      {
        using attacker = await attack(proxy.port, wire)
        const { received } = attacker
        if (/victim/.test(received)) wrong.push(`${probe}: the attacker got ${received}`)
        outcomes[outcomeOf(received)]++
        for (let at = 0; at < VICTIMS; at++) await askAsVictim(probe)
      }
      await askAsVictim(`${probe}, hung up`)
      for (const { line, isProxied } of seen.splice(0))
        if (!isProxied) wrong.push(`${probe}: ${line} was read as a request`)
    }
    console.info(`${name}: ${JSON.stringify({ ...outcomes, victims, connections: figures.connections })}`)
    expect(wrong).toEqual([])
    // Otherwise each client would have had a connection of its own, and the test would show nothing.
    expect(figures.connections).toBeLessThan(victims / 2)
  })
})

const outcomeOf = (received: string) => {
  if (received === '') return 'unanswered'
  if (/^[45]\d\d error /m.test(received)) return 'refused by us'
  return /^[45]\d\d (?!refused early)/m.test(received) ? 'refused by the proxy' : 'answered'
}
