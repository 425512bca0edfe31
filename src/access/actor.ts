/** Who does something to a file or a setting, as the history names it. */
import {
  type ActorKind,
  actorText,
  type NamedActor,
  OPERATOR_ACTOR,
  SERVICE_ACTOR,
} from '../contract/actors.ts'

/** What storing needs to know of a token: whose file it is, and how much it may hold. */
export interface ActingToken {
  id: string
  name: string
  quota: number | null
}

/** `operator`: whoever sits at the command line. */
export type Actor = { token: ActingToken } | { account: string } | 'service' | 'operator'

export function named(actor: Actor): NamedActor {
  if (actor === 'service') return SERVICE_ACTOR
  if (actor === 'operator') return OPERATOR_ACTOR
  return 'token' in actor
    ? { kind: 'token', name: actor.token.name }
    : { kind: 'account', name: actor.account }
}

/** In the columns of a history: the kind apart from the name, since an account may be called like the service. */
export function actorColumns(actor: Actor) {
  const { kind, name } = named(actor)
  return { who: name, who_kind: kind }
}

/** What those columns are on the wire. */
export const whoText = (row: { who: string; who_kind: ActorKind }) =>
  actorText({ kind: row.who_kind, name: row.who })

export const tokenOf = (actor: Actor) => (typeof actor === 'object' && 'token' in actor ? actor.token : null)
