/**
 * Compares answers of the service with its own API document, as a validating proxy would: status, media type,
 * error code and shape of the body must be documented.
 */
import { z } from 'zod'

interface Described {
  headers?: Record<string, { schema: { enum?: string[] } }>
  content?: Record<string, { schema: Record<string, unknown> }>
}
interface Operation {
  parameters: { name: string; in: string; description?: string }[]
  responses: Record<string, Described>
}
export interface ApiDocument {
  paths: Record<string, Record<string, Operation>>
  components?: { schemas?: Record<string, unknown> }
}

export interface Exchange {
  method: string
  path: string
  status: number
  headers: Headers
  /** Null if it cannot be read without taking it away from the test. */
  body: string | null
}

/** `ok`, or what is wrong with the answer; null for an address that is not in the document. */
export type Judge = (exchange: Exchange) => string | null

export function createJudge(document: ApiDocument): Judge {
  const operations = Object.entries(document.paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        ...{ path, method: method.toUpperCase(), operation },
        address: addressOf(path, operation),
      })),
    )
    // A plain path precedes one with parameters, and a longer one precedes a shorter one.
    .sort((one, other) => parts(one.path) - parts(other.path) || other.path.length - one.path.length)
  const schemas = new Map<object, z.ZodType>()

  const schemaOf = (schema: Record<string, unknown>) => {
    const known = schemas.get(schema)
    if (known) return known
    const text = JSON.stringify({ ...schema, $defs: document.components?.schemas ?? {} })
    const made = z.fromJSONSchema(JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/')))
    schemas.set(schema, made)
    return made
  }

  return ({ method, path, status, headers, body }) => {
    const asked = method === 'HEAD' ? 'GET' : method
    const found = operations.find(each => each.method === asked && each.address.test(path))
    if (!found) return null
    const name = `${found.method} ${found.path}`
    const described = found.operation.responses[status]
    if (!described) return `${name}: status ${status} (${headers.get('x-fehler-code') ?? 'no code'})`
    const code = headers.get('x-fehler-code')
    const codes = described.headers?.['X-Fehler-Code']?.schema.enum
    if (code !== null && !codes?.includes(code)) return `${name}: ${status} with the code ${code}`
    const type = (headers.get('content-type') ?? '').split(';')[0]!.trim()
    const content = described.content?.[type] ?? described.content?.['*/*']
    if (!content)
      return described.content && method !== 'HEAD' ? `${name}: ${status} as ${type || 'no type'}` : 'ok'
    if (method === 'HEAD' || body === null || type !== 'application/json' || !described.content?.[type])
      return 'ok'
    const result = schemaOf(content.schema).safeParse(JSON.parse(body))
    return result.success ? 'ok' : `${name}: ${status}, body: ${z.prettifyError(result.error).slice(0, 300)}`
  }
}

const parts = (path: string) => path.split('{').length

function addressOf(path: string, { parameters }: Operation): RegExp {
  const spans = new Set(
    parameters.filter(each => each.in === 'path' && each.description).map(({ name }) => name),
  )
  const pattern = path
    .replaceAll('.', '\\.')
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => (spans.has(name) ? '.+' : '[^/]+'))
  return new RegExp(`^${pattern}$`)
}
