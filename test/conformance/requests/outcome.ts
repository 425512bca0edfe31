/** Sends one request of the table to a server and describes the outcome in a few words. */
import type { PeerRequest } from '../../../src/http/server/http-server.ts'
import { openRaw } from '../../support/raw.ts'

export interface Seen {
  method: string
  target: string
  host: string
  x: string
  /** Whether the host is part of the answer. */
  show: string
  length: number
}

/**
 * What each server answers: how it read the request. Passed to Node as text, so it must not refer to anything
 * else.
 */
export const echoOf = ({ method, target, host, x, show, length }: Seen) =>
  `${method} ${target}${show && ` host=${host}`}${x && ` x=${x}`}${length ? ` ${length} bytes` : ''}`

/** The handler of our server. */
export async function echo(request: PeerRequest): Promise<Response> {
  const { method, url: target, headers } = request
  const { length } = await request.bytes()
  const field = (name: string) => headers.get(name) ?? ''
  const seen = { method, target, length, host: field('host'), x: field('x'), show: field('x-show') }
  return new Response(Buffer.from(echoOf(seen), 'latin1'))
}

const NEXT = 'GET /next HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'

/**
 * The outcome in the notation of cases.ts. `patience`: milliseconds without an answer after which the server
 * counts as waiting.
 */
export async function outcomeOf(port: number, wire: string, patience: number): Promise<string> {
  using connection = await openRaw(port)
  const isHead = wire.startsWith('HEAD ')
  const nextAnswer = (head: boolean) =>
    connection.answer({ deadlineMs: patience, head }).catch(() => undefined)
  await connection.write(Buffer.from(wire, 'latin1'))
  const answers: string[] = []
  let goesOn = false
  for (let answer = await nextAnswer(isHead); answer; answer = goesOn ? undefined : await nextAnswer(false)) {
    const text = Buffer.from(await answer.bytes()).toString('latin1')
    goesOn = text === 'GET /next'
    if (!goesOn) answers.push(answer.ok ? shortened(text) || 'HEAD' : String(answer.status))
    if (!goesOn && answers.length === 1) await connection.write(NEXT)
  }
  if (answers.length === 0) return connection.closed ? 'closes' : 'waits'
  const isRefused = isStatus(answers.at(-1)!)
  const end = goesOn === isRefused ? ` · ${goesOn ? 'open' : 'close'}` : ''
  const surplus = !goesOn && connection.hasAnswer ? ' · more bytes' : ''
  return `${answers.join(' | ')}${end}${surplus}`
}

const isStatus = (answer: string) => /^[45]\d\d$/.test(answer)
const shortened = (text: string) => text.replace(/a{100,}/, 'a…')

/** Accepted or refused, and how it was read; equal for servers that agree. */
export const decisionOf = (outcome: string) =>
  outcome.replace(' · open', '').replaceAll(/\b[45]\d\d\b|closes/g, 'refused')
