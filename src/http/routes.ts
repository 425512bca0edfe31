/**
 * Routes as data, mounted in scopes. A scope says who may call: it looks at the request before its body is read and
 * hands what it found to the handler. A route lies in exactly one scope, so the token check cannot reach
 * a route of another one.
 */
import type { Context, Hono } from 'hono'
import { failure } from '../errors.ts'
import { preflight } from './cors.ts'
import type { ApiDescription } from './described.ts'

export interface Route<Caller> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** In Hono's notation; `:pfad{.+}` spans several segments. */
  path: string
  /** For the API document. */
  api?: ApiDescription
  handle(context: Context, caller: Caller): Response | Promise<Response>
}

export type Scope<Caller> = (request: Request) => Caller | Promise<Caller>

/** For everybody. */
export const open: Scope<null> = () => null

export function mount<Caller>(app: Hono, scope: Scope<Caller>, routes: readonly Route<Caller>[]): void {
  for (const route of routes) {
    app.on(route.method, route.path, async context => {
      const response = await route.handle(context, await scope(context.req.raw))
      // What one caller may see must not be handed to another by a cache in between.
      if (!response.headers.has('Cache-Control')) response.headers.set('Cache-Control', 'no-store')
      return response
    })
  }
  const methods = Map.groupBy(routes, route => route.path)
  for (const [path, sharing] of methods) {
    const allowed = [
      ...sharing.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])),
      'OPTIONS',
    ]
    app.all(path, context => {
      if (context.req.method === 'OPTIONS') return preflight(context.req.raw, allowed)
      throw failure.methodUnknown(allowed)
    })
  }
}
