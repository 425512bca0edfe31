/**
 * The API document (OpenAPI 3.1), made from the very lists of routes that are mounted and the schemas that check their
 * input. A route that describes itself with nothing appears all the same, so that a test can find it.
 */
import { z } from 'zod'
import {
  ACCESS_WORDS,
  API_DESCRIPTION,
  API_TAGS,
  API_TITLE,
  API_WORDS,
  dashboardTag,
  ERROR_CODE,
  errorAnswer,
} from '../../contract/api-document.ts'
import { DASHBOARD_ROUTE, SESSION_COOKIE } from '../../contract/session.ts'
import type { ApiDescription } from '../../http/described.ts'
import type { Route } from '../../http/routes.ts'
import { createSchemas, type JsonSchema, type Schemas } from './schemas.ts'

/** Who may call: each is a scope of the router. */
export type Access = keyof typeof ACCESS_WORDS

export type DescribedRoute = Pick<Route<never>, 'method' | 'path' | 'api'>

export interface RouteGroup {
  access: Access
  /** Under which heading; routes of the dashboard find theirs by their address. */
  tag?: keyof typeof API_TAGS
  routes: readonly DescribedRoute[]
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  schema: JsonSchema
  description?: string
}

type Content = Record<string, { schema: JsonSchema }>

export interface Operation {
  operationId: string
  summary: string
  tags: [string]
  security: Record<string, []>[]
  'x-access': Access
  parameters: Parameter[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, { description: string; content?: Content } | { $ref: string }>
}

export interface ApiDocument {
  openapi: '3.1.0'
  info: { title: string; version: string; description: string }
  servers: { url: string }[]
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
  components: Record<string, Record<string, unknown>>
}

const SECURITY: Readonly<Record<Access, Record<string, []>[]>> = {
  open: [],
  visitor: [],
  token: [{ token: [] }],
  key: [{ token: [] }, { key: [] }, { keyInQuery: [] }],
  session: [{ session: [] }],
}

const SECURITY_SCHEMES = {
  token: { type: 'http', scheme: 'bearer', description: ACCESS_WORDS.token },
  key: { type: 'apiKey', in: 'header', name: 'Authorization', description: ACCESS_WORDS.key },
  keyInQuery: { type: 'apiKey', in: 'query', name: 'apiKey', description: ACCESS_WORDS.key },
  session: { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE, description: ACCESS_WORDS.session },
}

export function createApiDocument(groups: readonly RouteGroup[], version: string) {
  const schemas = createSchemas()
  const paths: ApiDocument['paths'] = {}
  const tags = new Set<string>()
  for (const group of groups) {
    for (const route of group.routes) {
      const operation = describe(route, group, schemas)
      const path = route.path.replace(PARAMETER, '{$1}')
      paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation }
      tags.add(operation.tags[0])
    }
  }
  const error = schemas.of(errorAnswer, 'error')
  return (publicUrl: string): ApiDocument => ({
    openapi: '3.1.0',
    info: { title: API_TITLE, version, description: API_DESCRIPTION },
    servers: [{ url: publicUrl }],
    tags: [...tags].map(name => ({ name })),
    paths,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      responses: {
        error: {
          description: API_WORDS.errorText,
          headers: { [ERROR_CODE]: { description: API_WORDS.errorCode, schema: { type: 'string' } } },
          content: { [JSON_TYPE]: { schema: error } },
        },
      },
      schemas: schemas.named,
    },
  })
}

const JSON_TYPE = 'application/json'

/** A part of an address in Hono's notation: `:id`, `:pfad{.+}`. */
const PARAMETER = /:(\w+)(?:\{([^}]*)\})?/g

function describe(route: DescribedRoute, { access, tag }: RouteGroup, schemas: Schemas): Operation {
  const { method, path, api } = route
  const operationId = `${method} ${path}`.replace(PARAMETER, '$1').replace(/\W+/g, '_').toLowerCase()
  const body = api && bodyOf(api, operationId, schemas)
  return {
    operationId,
    summary: api?.summary ?? '',
    tags: [tag ? API_TAGS[tag] : dashboardTag(path.slice(DASHBOARD_ROUTE.length + 1).split('/')[0] ?? '')],
    security: SECURITY[access],
    'x-access': access,
    parameters: [
      ...inPath(path),
      ...fields('query', api?.query, schemas),
      ...fields('header', api?.headers, schemas),
    ],
    ...(body && { requestBody: { required: !api?.bodyOptional, content: body } }),
    responses: {
      200: { description: api?.summary ?? '', ...answerOf(api, operationId, schemas) },
      default: { $ref: '#/components/responses/error' },
    },
  }
}

function inPath(path: string): Parameter[] {
  return [...path.matchAll(PARAMETER)].map(([, name = '', pattern]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
    ...(pattern?.includes('.') && { description: API_WORDS.multiSegment }),
  }))
}

function fields(place: 'query' | 'header', object: z.ZodObject | undefined, schemas: Schemas): Parameter[] {
  if (!object) return []
  const { properties = {}, required = [] } = schemas.of(object, place) as {
    properties?: Record<string, JsonSchema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema,
    ...(typeof description === 'string' && { description }),
  }))
}

function bodyOf(api: ApiDescription, id: string, schemas: Schemas): Content | null {
  const { body, bodyType = JSON_TYPE, forms = {} } = api
  const all = { ...(body && { [bodyType]: body }), ...forms }
  const content = Object.entries(all).map(([type, schema]) => [
    type,
    { schema: schemas.of(schema, `${id}_body`) },
  ])
  return content.length > 0 ? Object.fromEntries(content) : null
}

function answerOf(api: ApiDescription | undefined, id: string, schemas: Schemas): { content?: Content } {
  if (!api?.answer && !api?.answerType) return {}
  const schema = api.answer ? schemas.of(api.answer, `${id}_answer`) : schemas.of(z.string(), id)
  return { content: { [api.answerType ?? JSON_TYPE]: { schema } } }
}
