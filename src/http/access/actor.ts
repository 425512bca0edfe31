/** Who acts: the token of a request, and the actor of a history entry (who changed a file or a setting). */
import {
  type ActorKind,
  actorText,
  type NamedActor,
  OPERATOR_ACTOR,
  SERVICE_ACTOR,
} from '../../contract/accounts/actors.ts'
import type { LimitFields } from '../../contract/accounts/token-limits.ts'

/** The token with which a route was called. */
export interface Token extends LimitFields {
  id: string
  name: string
}

/** `operator`: the person at the command line. `drop`: a visitor of the drop link of this folder. */
export type Actor = { token: Token } | { account: string } | { drop: string } | 'service' | 'operator'

export function nameActor(actor: Actor): NamedActor {
  if (actor === 'service') return SERVICE_ACTOR
  if (actor === 'operator') return OPERATOR_ACTOR
  if ('token' in actor) return { kind: 'token', name: actor.token.name }
  return 'drop' in actor ? { kind: 'drop', name: actor.drop } : { kind: 'account', name: actor.account }
}

/**
 * The columns of a history entry that name the actor. The kind is a separate column, since an account may
 * have the same name as the service.
 */
export function actorColumns(actor: Actor) {
  const { kind, name } = nameActor(actor)
  return { who: name, who_kind: kind }
}

export const actorTextOfRow = (row: { who: string; who_kind: ActorKind }) =>
  actorText({ kind: row.who_kind, name: row.who })

export const tokenOf = (actor: Actor) => (typeof actor === 'object' && 'token' in actor ? actor.token : null)
