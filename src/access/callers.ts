/** Who calls a route: what each scope finds out about the request and hands to the handler. */
import type { Kind } from '../contract/kinds.ts'
import type { Peers } from '../http/client-address.ts'
import type { Actor } from './actor.ts'

/** Anybody, on a route that is open to all. */
export interface Anybody {
  /** For the few routes that look at where a request comes from. */
  peers: Peers
}

/** A token, as the routes see it that act for it. */
export interface Token {
  id: string
  name: string
  /** With its final `/`; null: everywhere. */
  prefix: string | null
  mayDelete: boolean
  maxFile: number | null
  quota: number | null
  kinds: readonly Kind[] | null
  validUntil: number | null
  maxEdge: number | null
}

/** A page of the dashboard before signing in. */
export interface Visitor {
  /** The network of the client, which failed attempts are counted against. */
  client: string
}

/** The account that is signed in, and its session. */
export interface Session {
  /** Names the session on the server; a reader of the log can do nothing with it. */
  id: string
  account: { id: string; name: string }
  expiresAt: number
}

/** What every route of the signed-in dashboard is handed. */
export interface SignedIn extends Session, Visitor {
  /** The account, as the histories name it. */
  actor: Actor
}
