/**
 * Generates the API document (OpenAPI 3.1) from the mounted routes and their schemas. Routes without a
 * description are included, so that a test can find them.
 */
import { z } from 'zod'
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiOverride } from 'zod-openapi'
import type { Role } from '../../contract/accounts/roles.ts'
import { SESSION_COOKIE } from '../../contract/accounts/session.ts'
import { DASHBOARD_ROUTE } from '../../contract/paths/addresses.ts'
import { ERROR_CODE_HEADER } from '../../contract/service/error-headers.ts'
import {
  ACCESS_TEXTS,
  API_DESCRIPTION,
  API_TAGS,
  API_TEXTS,
  API_TITLE,
  dashboardTag,
  errorAnswer,
} from '../../contract/words/api-document.ts'
import type { ApiDescription, Route } from '../../http/routes.ts'
import { failureCodesOf } from './route-failures.ts'

export type RouteAccess = keyof typeof ACCESS_TEXTS

export type DescribedRoute = Pick<Route<never>, 'method' | 'path'> & {
  api?: ApiDescription | undefined
  role?: Role
}

export interface RouteGroup {
  access: RouteAccess
  /** The heading above the routes. Absent for dashboard routes: each gets its heading from its path. */
  tag?: keyof typeof API_TAGS
  routes: readonly DescribedRoute[]
}

export type JsonSchema = Record<string, unknown>
type ContentByType = Record<string, { schema: JsonSchema }>

export interface Operation {
  summary: string
  tags: [string]
  'x-access': RouteAccess
  /** For a route of signed-in accounts: the lowest role that may call it. */
  'x-role'?: Role
  parameters: { name: string; in: string; required?: boolean; schema: JsonSchema; description?: string }[]
  requestBody?: { content: ContentByType }
  responses: Record<string, { content?: ContentByType }>
}

export interface ApiDocument {
  info: { title: string; description: string }
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
}

const SECURITY_BY_ACCESS: Readonly<Record<RouteAccess, Record<string, []>[]>> = {
  open: [],
  visitor: [],
  token: [{ token: [] }],
  // A ticket is part of the address, and needs no security scheme.
  ticket: [],
  key: [{ token: [] }, { key: [] }, { keyInQuery: [] }],
  session: [{ session: [] }],
}

const SECURITY_SCHEMES = {
  token: { type: 'http', scheme: 'bearer', description: ACCESS_TEXTS.token },
  key: { type: 'apiKey', in: 'header', name: 'Authorization', description: ACCESS_TEXTS.key },
  keyInQuery: { type: 'apiKey', in: 'query', name: 'apiKey', description: ACCESS_TEXTS.key },
  session: { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE, description: ACCESS_TEXTS.session },
} as const

/**
 * Generates the document once. The returned function is called with the public address of the service, and
 * returns the document with that address.
 */
export function createApiDocument(groups: readonly RouteGroup[], version: string) {
  const paths = new Map<string, Record<string, ZodOpenApiOperationObject>>()
  const tags = new Set<string>()
  for (const group of groups) {
    for (const route of group.routes) {
      const operation = describeRoute(route, group)
      const path = openApiPath(route.path)
      paths.set(path, { ...paths.get(path), [route.method.toLowerCase()]: operation })
      tags.add(operation.tags![0]!)
    }
  }
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: { title: API_TITLE, version, description: API_DESCRIPTION },
      tags: [...tags].map(name => ({ name })),
      paths: Object.fromEntries(paths),
      components: {
        securitySchemes: SECURITY_SCHEMES,
      },
    },
    { override: simplifySchema },
  )
  return (publicUrl: string) => ({ ...document, servers: [{ url: publicUrl }] }) as unknown as ApiDocument
}

/** Removes details of a schema that are useless or misleading for readers. */
const simplifySchema: ZodOpenApiOverride = ({ jsonSchema, zodSchema, io }) => {
  // Removes the bounds of safe integers, which only say that JavaScript can represent the number.
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  // Removes `additionalProperties: false` from answers, because future versions may add fields to them.
  const { def } = zodSchema._zod
  if (io === 'output' && def.type === 'object' && !def.catchall) delete jsonSchema.additionalProperties
}

const JSON_TYPE = 'application/json'
const HTML_TYPE = 'text/html'

/** Matches a path parameter in Hono's notation, such as `:id` or `:pfad{.+}`. */
const PATH_PARAMETER = /:(\w+)(?:\{([^}]*)\})?/g

function describeRoute({ method, path, api, role }: DescribedRoute, { access, tag }: RouteGroup) {
  const { summary, query, headers }: ApiDescription = api ?? { summary: '' }
  const bodies = { ...(api?.body && { [JSON_TYPE]: api.body }), ...api?.forms }
  return {
    operationId: `${method} ${path}`.replace(PATH_PARAMETER, '$1').replace(/\W+/g, '_').toLowerCase(),
    summary,
    tags: [tag ? API_TAGS[tag] : dashboardTag(path.slice(DASHBOARD_ROUTE.length + 1).split('/')[0] ?? '')],
    security: SECURITY_BY_ACCESS[access],
    'x-access': access,
    ...(role && { 'x-role': role }),
    requestParams: {
      path: pathParameters(path),
      ...(query && { query }),
      ...(headers && { header: headers }),
    },
    ...(Object.keys(bodies).length > 0 && {
      requestBody: {
        required: !api?.isBodyOptional,
        content: Object.fromEntries(Object.entries(bodies).map(([type, schema]) => [type, { schema }])),
      },
    }),
    responses: {
      ...answersOf(api),
      ...errorAnswersOf(failureCodesOf({ method, api }, openApiPath(path), access), api),
    },
  } satisfies ZodOpenApiOperationObject
}

type Responses = ZodOpenApiOperationObject['responses']

const contentOf = (schemas: Readonly<Record<string, z.ZodType>>) => ({
  content: Object.fromEntries(Object.entries(schemas).map(([type, schema]) => [type, { schema }])),
})

function answersOf(api: ApiDescription | undefined): Responses {
  const { summary: description = '', answer, answerType, answerTypes, answers = {} } = api ?? {}
  const mainAnswer = answer || answerType ? { [answerType ?? JSON_TYPE]: answer ?? z.string() } : {}
  const schemasByType = { ...mainAnswer, ...answerTypes }
  const otherAnswers = Object.entries(answers).map(([status, schemas]) => [
    status,
    { description, ...(schemas && contentOf(schemas)) },
  ])
  return {
    ...(Object.keys(schemasByType).length > 0 && { 200: { description, ...contentOf(schemasByType) } }),
    ...Object.fromEntries(otherAnswers),
  }
}

/**
 * The error answers of a route, by status, each with its codes. If `answerTypes` of the route contains
 * HTML, its errors may be HTML, too.
 */
const errorAnswersOf = (
  failures: ReadonlyMap<number, readonly string[]>,
  api: ApiDescription | undefined,
): Responses =>
  Object.fromEntries(
    [...failures].map(([status, codes]) => [
      String(status),
      {
        description: codes.join(', '),
        headers: { [ERROR_CODE_HEADER]: { description: API_TEXTS.errorCode, schema: { enum: [...codes] } } },
        ...contentOf({
          [JSON_TYPE]: errorAnswer,
          ...(api?.answerTypes?.[HTML_TYPE] && { [HTML_TYPE]: z.string() }),
        }),
      },
    ]),
  )

/** The path in the notation of OpenAPI. */
const openApiPath = (path: string) => path.replace(PATH_PARAMETER, '{$1}')

const pathParameters = (path: string) =>
  z.object(
    Object.fromEntries(
      [...path.matchAll(PATH_PARAMETER)].map(([, name = '', pattern]) => [
        name,
        pattern?.includes('.') ? z.string().describe(API_TEXTS.multiSegmentNote) : z.string(),
      ]),
    ),
  )
