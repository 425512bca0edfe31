/** Calls of the compatibility routes, as their clients make them, and checks of the answers. */
import { expect } from 'bun:test'
import type { HeaderMap } from './api.ts'
import { MULTIPART, multipart, type Part } from './multipart.ts'
import { png } from './pictures.ts'
import type { Service } from './service.ts'

export const OLDER = ['/api/image', '/api/video', '/api/audio'] as const
export const VERSION_2 = ['/api/v2/image', '/api/v2/video', '/api/v2/audio'] as const
export const FORM_ROUTES = [...OLDER, ...VERSION_2, '/api/v3/file'] as const
export const BASE64_ROUTE = '/api/v3/file/base64'

export interface OlderAnswer {
  url: string
  id: string
  path: string
}

export interface NewerAnswer {
  status: string
  data: { id: string; url: string }
}

/** What the answers of both generations have. With the newer one the path is taken from the address. */
export interface Stored {
  url: string
  id: string
  path: string
}

export function post(
  service: Service,
  route: string,
  token: string | null,
  parts: Part[],
  headers: HeaderMap = {},
): Promise<Response> {
  return fetch(`${service.url}${route}`, {
    method: 'POST',
    body: multipart(parts),
    headers: { ...MULTIPART, ...(token !== null && { Authorization: token }), ...headers },
  })
}

export function postBase64(service: Service, token: string, body: unknown): Promise<Response> {
  return fetch(`${service.url}${BASE64_ROUTE}`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { Authorization: token, 'Content-Type': 'application/json' },
  })
}

export function removeById(service: Service, token: string, route: string, id: string): Promise<Response> {
  return fetch(`${service.url}${route}/${id}`, { method: 'DELETE', headers: { Authorization: token } })
}

/** Checks for status 200 and exactly the fields of the route's generation, all of them text. */
export async function expectStored(response: Response, route: string): Promise<Stored> {
  const text = await response.text()
  expect({ status: response.status, text }).toEqual({ status: 200, text })
  expect(response.headers.get('content-type') ?? '').toMatch(/^application\/json\b/)
  const stored = (OLDER as readonly string[]).includes(route) ? older(text) : newer(text)
  for (const value of Object.values(stored)) expect(value).toMatch(/^\S+$/)
  expect(stored.url.endsWith(`/f/${stored.path}`)).toBe(true)
  return stored
}

function older(text: string): Stored {
  const answer = JSON.parse(text) as OlderAnswer
  expect(Object.keys(answer).sort()).toEqual(['id', 'path', 'url'])
  return answer
}

function newer(text: string): Stored {
  const { status, data, ...more } = JSON.parse(text) as NewerAnswer
  expect({ status, more }).toEqual({ status: 'ok', more: {} })
  expect(Object.keys(data).sort()).toEqual(['id', 'url'])
  return { ...data, path: new URL(data.url).pathname.slice('/f/'.length) }
}

/** A call that must succeed. */
export async function put(
  service: Service,
  route: string,
  token: string,
  parts: Part[],
  headers: HeaderMap = {},
): Promise<Stored> {
  return expectStored(await post(service, route, token, parts, headers), route)
}

/** A file part; name and type are those that careless clients send, unless given. */
export function file(name: string, content: Uint8Array | string, label: Partial<Part> = {}): Part {
  return { name, filename: 'blob', type: 'application/octet-stream', content, ...label }
}

let pictures = 0
/** A picture that no other test has: equal content would get the same name. */
export function freshPng(): Promise<Uint8Array<ArrayBuffer>> {
  return png({ width: 24, height: 16, seed: 1000 + pictures++ })
}
