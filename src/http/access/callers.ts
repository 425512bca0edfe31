/** What each scope learns about the caller, for the handler. */
import type { Actor } from './actor.ts'
import type { Rights } from './area.ts'
import type { Peers } from './client-address.ts'

export interface Anybody {
  /** For the few routes that need the client's address. */
  peers: Peers
}

/** From where and with which program a person uses the dashboard, for the list of sessions. */
export interface Device {
  address: string
  /** `User-Agent`, cut to a bounded length; null without one. */
  program: string | null
}

/** A dashboard visitor who has not signed in. */
export interface Visitor {
  device: Device
  /** The client's network, for which failed sign-ins are counted. */
  client: string
}

/** Read with every request, so that a changed role takes effect at the next one. */
export interface SignedInAccount extends Rights {
  id: string
  name: string
}

export interface Session {
  /** Identifies the session on the server. Not the cookie, so that it may be logged. */
  id: string
  account: SignedInAccount
  expiresAt: number
}

export interface SignedIn extends Session, Visitor {
  actor: Actor
}
