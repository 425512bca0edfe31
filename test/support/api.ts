/** API calls that nearly every acceptance test makes; of the service they need only its address. */
import { expect } from 'bun:test'
import type { Service } from './service.ts'

export type Body = string | Uint8Array<ArrayBuffer> | FormData | ReadableStream<Uint8Array>
export type HeaderMap = Record<string, string>

export interface UploadAnswer {
  url: string
  path: string
  size: number
  sha256: string
  mime: string
  replaced: boolean
  verkleinert?: { von: string; auf: string }
}

/** `POST /api/upload`, whatever the answer. */
export function upload(
  service: Service,
  token: string,
  body: Body,
  headers: HeaderMap = {},
): Promise<Response> {
  return fetch(`${service.url}/api/upload`, {
    method: 'POST',
    body,
    headers: { Authorization: `Bearer ${token}`, ...headers },
  })
}

/** A raw upload that must succeed. */
export async function store(
  service: Service,
  token: string,
  path: string,
  body: Body,
  headers: HeaderMap = {},
): Promise<UploadAnswer> {
  const response = await upload(service, token, body, { 'X-Path': path, ...headers })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`Upload of ${path}: ${response.status} ${text}`)
  return JSON.parse(text) as UploadAnswer
}

export function read(
  service: Pick<Service, 'url'>,
  path: string,
  headers: HeaderMap = {},
): Promise<Response> {
  return fetch(`${service.url}/f/${path}`, { headers })
}

export function remove(service: Service, token: string, path: string): Promise<Response> {
  return fetch(`${service.url}/api/media/${path}`, {
    method: 'DELETE',
    headers: { Authorization: `Bearer ${token}` },
  })
}

export async function exists(service: Service, token: string, path: string): Promise<boolean> {
  const response = await fetch(`${service.url}/api/exists?pfad=${encodeURIComponent(path)}`, {
    headers: { Authorization: `Bearer ${token}` },
  })
  const body = (await response.json()) as { exists?: boolean }
  if (response.status !== 200) throw new Error(`exists ${path}: ${response.status} ${JSON.stringify(body)}`)
  return body.exists === true
}

/** The JSON of an answer that must be 200. */
export async function answered<T>(response: Response): Promise<T> {
  if (response.status !== 200) throw new Error(`${response.url}: ${response.status} ${await response.text()}`)
  return (await response.json()) as T
}

export async function bytesOf(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await response.arrayBuffer())
}

/** `toEqual` on megabytes prints megabytes; this prints only where they differ. */
export function expectSameBytes(actual: Uint8Array, expected: Uint8Array): void {
  expect(actual.length).toBe(expected.length)
  if (Buffer.compare(actual, expected) === 0) return
  throw new Error(`Bytes differ from position ${expected.findIndex((byte, at) => byte !== actual[at])} on.`)
}

const SENTENCE = /^[\p{Lu}\p{N}„][^\n]*\.$/u
const TWO_SENTENCES = /\p{Ll}{3,}[.!?] \p{Lu}/u
const ERROR_CODE = /^[a-z0-9]+(-[a-z0-9]+)*$/
const GERMAN =
  /\b(der|die|das|den|dem|des|diese[mnrs]?|ein|eine[mnrs]?|kein|keine[mnrs]?|ist|nicht|nur|hat|mit|und|unter)\b/iu

/**
 * Checks an error: this status, JSON with exactly the key `error`, one German sentence, and its code in a
 * header. Returns the sentence.
 */
export async function expectError(response: Response, status: number, about?: RegExp): Promise<string> {
  const text = await response.text()
  // Compares the text too, so that a failure shows the actual answer.
  expect({ status: response.status, text }).toEqual({ status, text })
  expect(response.headers.get('content-type') ?? '').toMatch(/^application\/json\b/)
  expect(response.headers.get('x-fehler-code') ?? '').toMatch(ERROR_CODE)
  const body = JSON.parse(text) as Record<string, unknown>
  expect(Object.keys(body)).toEqual(['error'])
  const sentence = String(body.error)
  expect(sentence).toMatch(SENTENCE)
  expect(sentence).toMatch(GERMAN)
  expect(sentence).not.toMatch(TWO_SENTENCES)
  if (about) expect(sentence).toMatch(about)
  return sentence
}
