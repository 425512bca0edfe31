/** Who does something to a file or a setting, as the history names it. */

/** What storing needs to know of a token: whose file it is, and how much it may hold. */
export interface ActingToken {
  id: string
  name: string
  quota: number | null
}

/** `operator`: whoever sits at the command line. */
export type Actor = { token: ActingToken } | { account: string } | 'service' | 'operator'

export function actorName(actor: Actor): string {
  if (actor === 'service') return 'Fundus'
  if (actor === 'operator') return 'Kommandozeile'
  return 'token' in actor ? `Token ${actor.token.name}` : actor.account
}

export const tokenOf = (actor: Actor) => (typeof actor === 'object' && 'token' in actor ? actor.token : null)
