/**
 * Routes as data, mounted in scopes. A route is declared once with the schemas of the contract, which check
 * its input and describe it in the API document. A scope decides who may call a route, before the body is
 * read, and passes the caller to the handler. A route is in exactly one scope.
 */
import { type Context, Hono } from 'hono'
import type { z } from 'zod'
import { failure } from '../errors/errors.ts'
import type { AnyCaller } from './access/callers.ts'
import type { PeerAddresses } from './access/client-address.ts'
import { answerPreflight } from './answers/cors.ts'
import { readFormFields } from './bodies/form-fields.ts'
import { JSON_LIMIT, readJson, validateInput } from './bodies/json.ts'
import type { IncomingRequest } from './server/http-server.ts'
import { pathOf } from './url-parts.ts'

export interface ApiDescription {
  summary: string
  query?: z.ZodObject | undefined
  headers?: z.ZodObject
  body?: z.ZodType | undefined
  isBodyOptional?: boolean
  /** Schemas of the body by media type, if the body need not be JSON. */
  forms?: Readonly<Record<string, z.ZodType>>
  answer?: z.ZodType | undefined
  /** The media type of the answer, if it is not JSON. */
  answerType?: string
  /** Further media types of the answer, each with its schema. */
  answerTypes?: Readonly<Record<string, z.ZodType>> | undefined
  /**
   * Successful answers other than 200, by status: schemas by media type, or null for an answer without a
   * body.
   */
  answers?: Readonly<Record<number, Readonly<Record<string, z.ZodType>> | null>> | undefined
}

/**
 * The media type of JSON answers to programs. `Response.json` would add a charset, which these answers have
 * never had.
 */
export const JSON_MEDIA_TYPE = 'application/json'

export const ROUTE_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/**
 * The methods that reach Hono. Hono looks methods up in plain objects, so a method such as `__proto__` must
 * not reach it.
 */
export const KNOWN_METHODS: ReadonlySet<string> = new Set([...ROUTE_METHODS, 'HEAD', 'OPTIONS'])

export interface Route<Caller> {
  method: (typeof ROUTE_METHODS)[number]
  /** The path in Hono's notation; `:pfad{.+}` matches several segments. */
  path: string
  api?: ApiDescription
  handle(context: Context, caller: Caller): Response | Promise<Response>
}

type SchemaOutput<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined
type HandlerResult<Schema> = Response | (Schema extends z.ZodType ? z.input<Schema> : never)

export interface RouteInput<Query, Body> {
  query: SchemaOutput<Query>
  body: SchemaOutput<Body>
  /** Returns the value of a path parameter: `param('id')` for `:id` in the path. */
  param(name: string): string
  request: IncomingRequest
  /** Headers that a handler adds to its JSON answer. */
  answerHeaders: Headers
}

export interface RouteSpec<Caller, Query, Body, Answer> {
  summary: string
  query?: Query
  body?: Body
  bodyLimit?: number
  /** Whether the request may have no body; it is then read as `{}`. */
  isBodyOptional?: boolean
  /** Whether the body is a form instead of JSON: a browser can save the answer to a form as a file. */
  isForm?: boolean
  /** Input that the handler itself reads and checks. It is declared here only for the API document. */
  handlerInput?: Pick<ApiDescription, 'query' | 'headers' | 'forms'>
  answer?: Answer
  answerType?: string
  answerTypes?: ApiDescription['answerTypes']
  answers?: ApiDescription['answers']
  /** Returns the JSON value of the answer, or a `Response` for streams and other statuses. */
  handle(
    input: RouteInput<Query, Body>,
    caller: Caller,
  ): Promise<HandlerResult<Answer>> | HandlerResult<Answer>
}

export function route<
  Caller,
  Query extends z.ZodObject | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
  Answer extends z.ZodType | undefined = undefined,
>(
  method: Route<Caller>['method'],
  path: string,
  spec: RouteSpec<Caller, Query, Body, Answer>,
): Route<Caller> {
  const { handle, handlerInput, bodyLimit = JSON_LIMIT, isForm, ...description } = spec
  const { query, body, isBodyOptional, answerType } = description
  const readBody = (request: IncomingRequest, schema: z.ZodType) =>
    isForm
      ? readFormFields(request, schema, bodyLimit)
      : readJson(request, schema, bodyLimit, isBodyOptional ? {} : undefined)
  return {
    method,
    path,
    api: {
      ...description,
      ...(isForm && body && { body: undefined, forms: { 'multipart/form-data': body } }),
      ...handlerInput,
    },
    async handle(context, caller) {
      const request = context.req.raw
      const answerHeaders = new Headers(answerType ? { 'Content-Type': answerType } : {})
      const input = {
        query: query && validateInput(query, context.req.query()),
        body: body && (await readBody(request, body)),
        param: (name: string) => context.req.param(name) ?? '',
        request,
        answerHeaders,
      } as RouteInput<Query, Body>
      const result = await handle(input, caller)
      return result instanceof Response ? result : Response.json(result, { headers: answerHeaders })
    },
  }
}

/**
 * Creates the router. It gets its own `getPath`, because that of Hono mistakes the path for a host if `Host`
 * is invalid. The binding `peers` finds the address of a client.
 */
export const createRouter = () =>
  new Hono<{ Bindings: { peers: PeerAddresses } }>({ getPath: request => pathOf(request.url) })
type Router = ReturnType<typeof createRouter>

/**
 * Has the router answer a request. The cast is safe, because Hono uses only those members of `Request` that
 * `IncomingRequest` has. Handlers get the type `IncomingRequest`.
 */
export const dispatch = (router: Router, request: IncomingRequest, peers: PeerAddresses) =>
  router.fetch(request as Request, { peers })

export type RouteScope<Caller> = (request: IncomingRequest, peers: PeerAddresses) => Caller | Promise<Caller>

/** The scope of routes that everybody may call without signing in. */
export const publicScope: RouteScope<AnyCaller> = (_, peers) => ({ peers })

export function mountRoutes<Caller>(
  router: Router,
  scope: RouteScope<Caller>,
  routes: readonly Route<Caller>[],
): void {
  for (const { method, path, handle } of routes) {
    router.on(method, path, async context => {
      const response = await handle(context, await scope(context.req.raw, context.env.peers))
      // A shared cache must not send one caller's answer to another.
      if (!response.headers.has('Cache-Control')) response.headers.set('Cache-Control', 'no-store')
      return response
    })
  }
}

/**
 * Mounts routes like `mountRoutes`, and for their paths also answers CORS preflights and refuses other
 * methods.
 */
export function mountWithCors<Caller>(
  router: Router,
  scope: RouteScope<Caller>,
  routes: readonly Route<Caller>[],
): void {
  mountRoutes(router, scope, routes)
  for (const [path, routesOfPath] of Map.groupBy(routes, declaredRoute => declaredRoute.path)) {
    const allowedMethods = [...withHeadMethod(routesOfPath.map(({ method }) => method)), 'OPTIONS']
    router.all(path, context => {
      if (context.req.method === 'OPTIONS') return answerPreflight(context.req.raw, allowedMethods)
      throw failure.methodUnknown(allowedMethods)
    })
  }
}

/** The methods that the router answers: also `HEAD` where there is a `GET`. */
export const withHeadMethod = (methods: readonly Route<never>['method'][]) =>
  methods.flatMap(method => (method === 'GET' ? ['GET', 'HEAD'] : [method]))

/** Answers `{ ok: true }` after the work has succeeded. */
export async function answerOkWhenDone(workPromise: Promise<unknown>): Promise<{ ok: true }> {
  await workPromise
  return { ok: true }
}
