/**
 * Routes as data, mounted in scopes. A route is declared once, with the schemas of the contract: they check its input
 * before the handler runs and describe the route in the API document, so the two cannot drift apart. A scope says who may
 * call: it looks at the request before its body is read and hands what it found to the handler. A route lies in exactly
 * one scope, so the token check cannot reach a route of another one.
 */
import { type Context, Hono } from 'hono'
import type { z } from 'zod'
import type { Anybody } from '../access/callers.ts'
import { failure } from '../errors.ts'
import type { Peers } from './client-address.ts'
import { preflight } from './cors.ts'
import { checked, readJson } from './json.ts'
import { getPath } from './path.ts'

/** What the API document says of a route. */
export interface ApiDescription {
  summary: string
  query?: z.ZodObject
  headers?: z.ZodObject
  body?: z.ZodType
  /** The body may be left out. */
  bodyOptional?: boolean
  /** The media type of a body that is not JSON. */
  bodyType?: string
  /** Where there are several kinds of body: each by its media type. */
  forms?: Readonly<Record<string, z.ZodType>>
  answer?: z.ZodType
  /** The media type of the answer, unless the JSON of `Response.json`. */
  answerType?: string
}

/** As the routes for programs have always answered; `Response.json` would add a charset. */
export const PLAIN_JSON = 'application/json'

export interface Route<Caller> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** In Hono's notation; `:pfad{.+}` spans several segments. */
  path: string
  /** For the API document. */
  api?: ApiDescription
  handle(context: Context, caller: Caller): Response | Promise<Response>
}

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined
type Answered<Schema> = Response | (Schema extends z.ZodType ? z.input<Schema> : never)

export interface RouteInput<Query, Body> {
  query: Output<Query>
  body: Output<Body>
  /** A part of the path, such as `:id`. */
  param(name: string): string
  request: Request
  /** Headers that go with a JSON answer. */
  answerHeaders: Headers
}

export interface RouteSpec<Caller, Query, Body, Answer> {
  method: Route<Caller>['method']
  path: string
  summary: string
  query?: Query
  body?: Body
  bodyLimit?: number
  /** Without a body the handler gets what the schema makes of `{}`. */
  bodyOptional?: boolean
  /** What the handler reads of the request by itself, for the API document. */
  reads?: Pick<ApiDescription, 'query' | 'headers' | 'forms'>
  answer?: Answer
  answerType?: string
  /** Answers the value of a JSON answer, or a whole response: a stream, another status. */
  handle(input: RouteInput<Query, Body>, caller: Caller): Promise<Answered<Answer>> | Answered<Answer>
}

export function route<
  Caller,
  Query extends z.ZodObject | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
  Answer extends z.ZodType | undefined = undefined,
>(spec: RouteSpec<Caller, Query, Body, Answer>): Route<Caller> {
  const {
    method,
    path,
    summary,
    query,
    body,
    bodyLimit,
    bodyOptional = false,
    reads,
    answer,
    answerType,
  } = spec
  return {
    method,
    path,
    api: {
      summary,
      ...reads,
      ...(query && { query }),
      ...(body && { body, bodyOptional }),
      ...(answer && { answer }),
      ...(answerType && { answerType }),
    },
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
      const answered = await spec.handle(input, caller)
      return answered instanceof Response ? answered : Response.json(answered, { headers: answerHeaders })
    },
  }
}

/** A request is handed to a router together with `peers`, which know where it comes from. */
export const createRouter = () => new Hono<{ Bindings: { peers: Peers } }>({ getPath })
export type Router = ReturnType<typeof createRouter>

export type Scope<Caller> = (request: Request, peers: Peers) => Caller | Promise<Caller>

/** For everybody. */
export const open: Scope<Anybody> = (_, peers) => ({ peers })

export function mount<Caller>(router: Router, scope: Scope<Caller>, routes: readonly Route<Caller>[]): void {
  for (const { method, path, handle } of routes) {
    router.on(method, path, async context => {
      const response = await handle(context, await scope(context.req.raw, context.env.peers))
      // What one caller may see must not be handed to another by a cache in between.
      if (!response.headers.has('Cache-Control')) response.headers.set('Cache-Control', 'no-store')
      return response
    })
  }
}

/** The same for routes that pages of every site may call: their preflights are answered, other methods refused. */
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

/** What a client may send where these methods are routes: the router answers `HEAD` wherever there is a `GET`. */
export const methodsOf = (methods: readonly Route<never>['method'][]) =>
  methods.flatMap(method => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
