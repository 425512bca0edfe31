/** The actor: who changes a file or a setting, as the history names it. */
import {
  type ActorKind,
  actorText,
  type NamedActor,
  OPERATOR_ACTOR,
  SERVICE_ACTOR,
} from '../../contract/accounts/actors.ts'
import type { Token } from './token.ts'

/** `operator`: the person at the command line. */
export type Actor = { token: Token } | { account: string } | 'service' | 'operator'

export function nameActor(actor: Actor): NamedActor {
  if (actor === 'service') return SERVICE_ACTOR
  if (actor === 'operator') return OPERATOR_ACTOR
  return 'token' in actor
    ? { kind: 'token', name: actor.token.name }
    : { kind: 'account', name: actor.account }
}

/** The columns of a history entry. The kind is a column, since an account may be called like the service. */
export function actorColumns(actor: Actor) {
  const { kind, name } = nameActor(actor)
  return { who: name, who_kind: kind }
}

export const whoText = (row: { who: string; who_kind: ActorKind }) =>
  actorText({ kind: row.who_kind, name: row.who })

export const tokenOf = (actor: Actor) => (typeof actor === 'object' && 'token' in actor ? actor.token : null)
