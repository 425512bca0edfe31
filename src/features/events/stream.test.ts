import { describe, expect, test } from 'bun:test'
import { createEventStream } from './stream.ts'

const EVENT = {
  name: 'fortschritt',
  data: { aufgabe: 'webp', erledigt: 1, gesamt: 2, fertig: false },
} as const

function open(options: { mayGoOn?: () => Promise<boolean>; heartbeat?: number } = {}) {
  let ends = 0
  const stream = createEventStream({
    mayContinue: options.mayGoOn ?? (async () => true),
    onEnd: () => ends++,
    heartbeatInterval: options.heartbeat ?? 60_000,
  })
  const reader = stream.body.getReader()
  const decoder = new TextDecoder()
  const next = async () => {
    const { done, value } = await reader.read()
    return done ? null : decoder.decode(value)
  }
  return { stream, reader, next, ends: () => ends }
}

test('the time to come back first, then each event as it comes', async () => {
  const { stream, next } = open()
  expect(await next()).toBe('retry: 3000\n\n')
  const waiting = next()
  stream.send(EVENT)
  expect(await waiting).toBe(`event: fortschritt\nid: 1\ndata: ${JSON.stringify(EVENT.data)}\n\n`)
  stream.end()
})

test('a line end in a name cannot forge an event', async () => {
  const { stream, next } = open()
  await next()
  stream.send({ name: 'verwaltung', data: { zeit: 1, was: 'x', wer: 'a\n\nevent: datei\ndata: {}' } })
  expect((await next())?.split('\n')).toHaveLength(5)
  stream.end()
})

describe('the end', () => {
  test('by the service: what was sent is still read, then it is over; once', async () => {
    const { stream, next, ends } = open()
    stream.send(EVENT)
    stream.end()
    stream.end()
    expect(await next()).toContain('fortschritt')
    expect(await next()).toBeNull()
    stream.send(EVENT)
    expect(ends()).toBe(1)
  })

  test('by the client, also while nothing is there to read', async () => {
    const { reader, next, ends } = open()
    await next()
    const waiting = next()
    await reader.cancel()
    expect(await waiting).toBeNull()
    expect(ends()).toBe(1)
  })

  test('when the session is over, at the next heartbeat', async () => {
    let live = true
    const { next, ends } = open({ mayGoOn: async () => live, heartbeat: 10 })
    await next()
    expect(await next()).toStartWith(':')
    live = false
    let last: string | null = ''
    while (last !== null) last = await next()
    expect(ends()).toBe(1)
  })

  test('when it cannot be told whether the session is over', async () => {
    const { next, ends } = open({ mayGoOn: () => Promise.reject(new Error('x')), heartbeat: 5 })
    await next()
    expect(await next()).toBeNull()
    expect(ends()).toBe(1)
  })
})

test('a client that does not read is let go before it costs much memory', () => {
  const { stream, ends } = open()
  for (let at = 0; at < 10_000 && ends() === 0; at++) stream.send(EVENT)
  expect(ends()).toBe(1)
})
