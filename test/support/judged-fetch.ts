/**
 * Loaded before test files (`bun test --preload`): compares every answer that they get by `fetch` with the
 * API document of the service that gave it. Writes one line per answer to the file of `FUNDUS_TEST_JUDGED`.
 */
import { appendFileSync } from 'node:fs'
import { type ApiDocument, createJudge, type Judge } from './described.ts'

const list = process.env.FUNDUS_TEST_JUDGED!
const plainFetch = globalThis.fetch
const judges = new Map<string, Promise<Judge | null>>()
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]'])

/** Null for a server that is not Fundus. */
async function judgeOf(origin: string): Promise<Judge | null> {
  const response = await plainFetch(`${origin}/api/openapi.json`, { keepalive: false }).catch(() => null)
  if (response?.status !== 200) return null
  return createJudge((await response.json()) as ApiDocument)
}

async function judged(...given: Parameters<typeof fetch>): Promise<Response> {
  const response = await plainFetch(...given)
  const request = new Request(given[0] as string, { ...given[1], body: null })
  const { origin, pathname, hostname } = new URL(request.url)
  if (!LOOPBACK.has(hostname)) return response
  const judge = await judges.getOrInsertComputed(origin, () => judgeOf(origin))
  if (!judge) judges.delete(origin)
  const isText = response.headers.get('content-type')?.startsWith('application/json') ?? false
  const body = isText && request.method !== 'HEAD' && response.body ? await response.clone().text() : null
  const { status, headers } = response
  const found = judge?.({ method: request.method, path: pathname, status, headers, body }) ?? 'not described'
  appendFileSync(list, `${found.replaceAll('\n', ' ')}\n`)
  return response
}

globalThis.fetch = Object.assign(judged, plainFetch) as typeof fetch
