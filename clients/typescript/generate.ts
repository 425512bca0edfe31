/**
 * Writes openapi.ts, the types of the routes that a program with a token can call, from the document of a
 * running service: `npx bun clients/typescript/generate.ts http://localhost:8080`.
 */
import { join } from 'node:path'
import { ownValue } from '../../src/contract/values/own-value.ts'

type Schema = {
  type?: string | string[]
  description?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
}
type Content = Record<string, { schema: Schema }>
type Operation = {
  operationId: string
  summary: string
  'x-access': string
  parameters?: { in: string; name: string; required?: boolean; schema: Schema }[]
  responses: Record<string, { content?: Content }>
}
export type ApiDocument = { paths: Record<string, Record<string, Operation>> }

const HEAD = `/** Made by generate.ts from /api/openapi.json; not to be changed by hand. A test says when it is out of date. */
`

/** The scope of the routes that the client calls. */
const ACCESS = 'token'

export function typesOf({ paths }: ApiDocument): string {
  const blocks = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation['x-access'] === ACCESS)
      .flatMap(([method, operation]) => blockOf(`${method.toUpperCase()} ${path}`, operation)),
  )
  return [HEAD, ...blocks].join('\n')
}

/** One interface for the parameters, one for the answer. Answers that are not JSON have no type. */
function blockOf(route: string, operation: Operation): string[] {
  const schema = operation.responses['200']?.content?.['application/json']?.schema
  if (!schema?.properties) return []
  const name = nameOf(operation.operationId)
  const blocks = [`/** ${route}: ${operation.summary} */\nexport interface ${name}Answer ${typeOf(schema)}\n`]
  const parameters = operation.parameters ?? []
  if (parameters.length > 0) {
    const properties = Object.fromEntries(parameters.map(each => [each.name, each.schema]))
    const required = parameters.filter(each => each.required).map(each => each.name)
    blocks.unshift(
      `/** ${route} */\nexport interface ${name}Parameters ${typeOf({ type: 'object', properties, required })}\n`,
    )
  }
  return blocks
}

/** `post_api_upload` → `PostUpload`. */
const nameOf = (id: string) =>
  id
    .replace('_api_', '_')
    .split('_')
    .map(part => part.charAt(0).toUpperCase() + part.slice(1))
    .join('')

function typeOf(schema: Schema, indent = ''): string {
  if (schema.anyOf) return schema.anyOf.map(each => typeOf(each, indent)).join(' | ')
  const choices = schema.enum ?? (schema.const === undefined ? undefined : [schema.const])
  if (choices)
    return choices.map(value => (typeof value === 'string' ? `'${value}'` : String(value))).join(' | ')
  if (Array.isArray(schema.type))
    return schema.type.map(type => typeOf({ ...schema, type }, indent)).join(' | ')
  if (schema.type === 'array') {
    const inner = typeOf(schema.items ?? {}, indent)
    return inner.includes(' | ') && !schema.items?.properties ? `(${inner})[]` : `${inner}[]`
  }
  if (schema.properties) return objectOf(schema, indent)
  if (schema.type === 'object') return 'Record<string, unknown>'
  return (
    ownValue(
      { string: 'string', integer: 'number', number: 'number', boolean: 'boolean', null: 'null' },
      schema.type ?? '',
    ) ?? 'unknown'
  )
}

function objectOf({ properties = {}, required = [] }: Schema, indent: string): string {
  const inner = `${indent}  `
  const lines = Object.entries(properties).flatMap(([name, schema]) => {
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`
    const line = `${inner}${key}${required.includes(name) ? '' : '?'}: ${typeOf(schema, inner)}`
    return schema.description ? [`${inner}/** ${schema.description} */`, line] : [line]
  })
  return ['{', ...lines, `${indent}}`].join('\n')
}

if (import.meta.main) {
  const [address] = process.argv.slice(2)
  if (address === undefined) throw new Error('The address of a running service is missing.')
  const document = (await (await fetch(new URL('/api/openapi.json', address))).json()) as ApiDocument
  await Bun.write(join(import.meta.dir, 'openapi.ts'), typesOf(document))
}
