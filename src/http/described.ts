/**
 * Routes that take and give JSON: checked against the schemas of the contract before the handler runs. The same
 * schemas describe the route in the API document, so the two cannot drift apart.
 */
import type { z } from 'zod'
import { checked, readJson } from './json.ts'
import type { Route } from './routes.ts'

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
  /** The media type of an answer that is not JSON. */
  answerType?: string
}

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined

export interface RouteInput<Query, Body> {
  query: Output<Query>
  body: Output<Body>
  /** A part of the path, such as `:id`. */
  param(name: string): string
  request: Request
}

export interface JsonRouteSpec<Caller, Query, Body, Answer extends z.ZodType> {
  method: Route<Caller>['method']
  path: string
  summary: string
  query?: Query
  body?: Body
  bodyLimit?: number
  /** Without a body the handler gets what the schema makes of `{}`. */
  bodyOptional?: boolean
  answer: Answer
  handle(input: RouteInput<Query, Body>, caller: Caller): Promise<z.input<Answer>> | z.input<Answer>
}

export function jsonRoute<
  Caller,
  Answer extends z.ZodType,
  Query extends z.ZodObject | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
>(spec: JsonRouteSpec<Caller, Query, Body, Answer>): Route<Caller> {
  const { method, path, summary, query, body, bodyLimit, bodyOptional = false, answer } = spec
  return {
    method,
    path,
    api: { summary, answer, ...(query && { query }), ...(body && { body, bodyOptional }) },
    async handle(context, caller) {
      const input = {
        query: query && checked(query, context.req.query()),
        body: body && (await readJson(context.req.raw, body, bodyLimit, bodyOptional ? {} : undefined)),
        param: (name: string) => context.req.param(name) ?? '',
        request: context.req.raw,
      } as RouteInput<Query, Body>
      return Response.json(await spec.handle(input, caller))
    },
  }
}
