/**
 * What a handler learns about its caller. The scope of the route (such as `sessionScope`, see `routes.ts`)
 * provides it, and decides who may call the route.
 */
import type { Actor } from './actor.ts'
import type { PeerAddresses } from './client-address.ts'
import type { AccountRights } from './library-area.ts'

export interface AnyCaller {
  /** Finds the address of a client, which a few handlers need. */
  peers: PeerAddresses
}

/** The address and the program with which a person uses the dashboard, for the list of sessions. */
export interface Device {
  address: string
  /** `User-Agent`, cut to a bounded length; null without this header. */
  program: string | null
}

/** What is known about every visitor of the dashboard, signed in or not. */
export interface Visitor {
  device: Device
  /** The client's network (`networkOf`), by which failed sign-ins are counted. */
  clientNetwork: string
}

/** Read from the database for every request, so that a changed role takes effect at the next request. */
export interface SignedInAccount extends AccountRights {
  id: string
  name: string
}

export interface Session {
  /** Identifies the session on the server. It is not the value of the cookie, so it may be logged. */
  id: string
  account: SignedInAccount
  expiresAt: number
}

export interface SignedInCaller extends Session, Visitor {
  actor: Actor
}
