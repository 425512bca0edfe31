/** The callers of routes: what each scope learns about the caller and passes to the handler. */
import type { Kind } from '../../contract/paths/kinds.ts'
import type { Actor } from './actor.ts'
import type { Peers } from './client-address.ts'

/** Anybody, on a route that is open to all. */
export interface Anybody {
  /** For the few routes that need the address of the client. */
  peers: Peers
}

/** The token with which a route was called. */
export interface Token {
  id: string
  name: string
  /** The path prefix including its final `/`; null: every path is allowed. */
  prefix: string | null
  mayDelete: boolean
  maxFile: number | null
  quota: number | null
  kinds: readonly Kind[] | null
  validUntil: number | null
  maxEdge: number | null
  /** Whether place and camera data are taken out of pictures; null: as the setting says. */
  stripMetadata: boolean | null
}

/** A visitor of the dashboard who has not signed in. */
export interface Visitor {
  /** The network of the client, for which failed sign-ins are counted. */
  client: string
}

/** A session and the account that is signed in with it. */
export interface Session {
  /** Identifies the session on the server. It is not the cookie, so a reader of the log cannot misuse it. */
  id: string
  account: { id: string; name: string }
  expiresAt: number
}

/** The caller of every dashboard route that requires a session. */
export interface SignedIn extends Session, Visitor {
  /** The account, as the histories name it. */
  actor: Actor
}
