/**
 * Routes as data, mounted in scopes. A route is declared once, with the schemas of the contract. The schemas
 * check the input of the route before the handler runs, and describe the route in the API document, so check
 * and description cannot drift apart. A scope decides who may call a route: it looks at the request before
 * the body is read and hands the caller it found to the handler. A route lies in exactly one scope, so the
 * token check cannot reach a route of another scope.
 */
import { type Context, Hono } from 'hono'
import type { z } from 'zod'
import { failure } from '../errors/errors.ts'
import type { Anybody } from './access/callers.ts'
import type { Peers } from './access/client-address.ts'
import { preflight } from './answers/cors.ts'
import { checked, readJson } from './bodies/json.ts'
import { pathOf } from './path.ts'
import type { IncomingRequest } from './server/http-server.ts'

/** What the API document says about a route. */
export interface ApiDescription {
  summary: string
  query?: z.ZodObject | undefined
  headers?: z.ZodObject
  body?: z.ZodType | undefined
  /** The body may be left out. */
  bodyOptional?: boolean
  /** Bodies that are not JSON alone: the schema of each kind of body by its media type. */
  forms?: Readonly<Record<string, z.ZodType>>
  answer?: z.ZodType | undefined
  /** The media type of the answer, if it is not the JSON of `Response.json`. */
  answerType?: string
  /** Further media types of the answer, each with its schema. */
  answerTypes?: Readonly<Record<string, z.ZodType>> | undefined
  /**
   * Answers with another status than 200 that are no errors: the schema by media type; null: without a body.
   */
  answers?: Readonly<Record<number, Readonly<Record<string, z.ZodType>> | null>> | undefined
}

/**
 * The media type with which the routes for programs have always answered; `Response.json` would add a
 * charset.
 */
export const PLAIN_JSON = 'application/json'

/** The methods for which a route may be declared. */
export const ROUTE_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/**
 * The methods that a router may see: Hono looks a method up in plain objects, so `__proto__` must not get
 * there.
 */
export const METHODS: ReadonlySet<string> = new Set([...ROUTE_METHODS, 'HEAD', 'OPTIONS'])

export interface Route<Caller> {
  method: (typeof ROUTE_METHODS)[number]
  /** In Hono's notation; `:pfad{.+}` spans several segments. */
  path: string
  /** What the API document says about the route. */
  api?: ApiDescription
  handle(context: Context, caller: Caller): Response | Promise<Response>
}

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined
type Answered<Schema> = Response | (Schema extends z.ZodType ? z.input<Schema> : never)

interface RouteInput<Query, Body> {
  query: Output<Query>
  body: Output<Body>
  /** The value of a part of the path, such as `:id`. */
  param(name: string): string
  request: IncomingRequest
  /** Headers that are sent with a JSON answer. */
  answerHeaders: Headers
}

interface RouteSpec<Caller, Query, Body, Answer> {
  summary: string
  query?: Query
  body?: Body
  bodyLimit?: number
  /** If the request has no body, the handler gets what the schema makes of `{}`. */
  bodyOptional?: boolean
  /** What the handler reads from the request by itself; only for the API document. */
  reads?: Pick<ApiDescription, 'query' | 'headers' | 'forms'>
  answer?: Answer
  answerType?: string
  answerTypes?: ApiDescription['answerTypes']
  answers?: ApiDescription['answers']
  /** Returns the value of a JSON answer, or a whole response, such as a stream or another status. */
  handle(input: RouteInput<Query, Body>, caller: Caller): Promise<Answered<Answer>> | Answered<Answer>
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
  const { handle, reads, bodyLimit, ...described } = spec
  const { query, body, bodyOptional, answerType } = described
  return {
    method,
    path,
    api: { ...described, ...reads },
    async handle(context, caller) {
      const request = context.req.raw
      const answerHeaders = new Headers(answerType ? { 'Content-Type': answerType } : {})
      const input = {
        query: query && checked(query, context.req.query()),
        body: body && (await readJson(request, body, bodyLimit, bodyOptional ? {} : undefined)),
        param: (name: string) => context.req.param(name) ?? '',
        request,
        answerHeaders,
      } as RouteInput<Query, Body>
      const answered = await handle(input, caller)
      return answered instanceof Response ? answered : Response.json(answered, { headers: answerHeaders })
    },
  }
}

/**
 * A request is handed to a router together with `peers`, which know the address that the request comes from.
 * Hono by itself would read the path of a request without a usable `Host` as a host.
 */
export const createRouter = () =>
  new Hono<{ Bindings: { peers: Peers } }>({ getPath: request => pathOf(request.url) })
type Router = ReturnType<typeof createRouter>

/** Hono uses only the part of a `Request` that every incoming one has; handlers get the type of that part. */
export const dispatch = (router: Router, request: IncomingRequest, peers: Peers) =>
  router.fetch(request as Request, { peers })

export type Scope<Caller> = (request: IncomingRequest, peers: Peers) => Caller | Promise<Caller>

/** The scope of routes that everybody may call. */
export const open: Scope<Anybody> = (_, peers) => ({ peers })

export function mount<Caller>(router: Router, scope: Scope<Caller>, routes: readonly Route<Caller>[]): void {
  for (const { method, path, handle } of routes) {
    router.on(method, path, async context => {
      const response = await handle(context, await scope(context.req.raw, context.env.peers))
      // A cache on the way must not hand the answer for one caller to another caller.
      if (!response.headers.has('Cache-Control')) response.headers.set('Cache-Control', 'no-store')
      return response
    })
  }
}

/**
 * Like `mount`, for routes that pages of every site may call: also answers their preflights and refuses other
 * methods.
 */
export function mountForAllSites<Caller>(
  router: Router,
  scope: Scope<Caller>,
  routes: readonly Route<Caller>[],
): void {
  mount(router, scope, routes)
  for (const [path, sharing] of Map.groupBy(routes, each => each.path)) {
    const allowed = [...methodsOf(sharing.map(({ method }) => method)), 'OPTIONS']
    router.all(path, context => {
      if (context.req.method === 'OPTIONS') return preflight(context.req.raw, allowed)
      throw failure.methodUnknown(allowed)
    })
  }
}

/**
 * The methods that a client may send to a path with routes for `methods`: the router answers `HEAD` wherever
 * there is a `GET`.
 */
export const methodsOf = (methods: readonly Route<never>['method'][]) =>
  methods.flatMap(method => (method === 'GET' ? ['GET', 'HEAD'] : [method]))

/** For routes whose answer says only that the work is done. */
export async function done(work: Promise<unknown>): Promise<{ ok: true }> {
  await work
  return { ok: true }
}
