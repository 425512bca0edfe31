/**
 * The actor of an action as one text on the wire (`wer`, `geloescht_von`, `erstellt_von`). The text also
 * shows the kind of actor: an account that has the name of the service, the command line or a token is
 * written with „Konto“ before its name, so that it cannot be mistaken for one of them.
 */

const ACTOR_KINDS = ['account', 'token', 'service', 'operator'] as const
/** `operator`: the person at the command line. */
export type ActorKind = (typeof ACTOR_KINDS)[number]

export interface NamedActor {
  kind: ActorKind
  /** The service and the command line each have a fixed name. */
  name: string
}

const SERVICE = 'Fundus'
const OPERATOR = 'Kommandozeile'
const TOKEN = 'Token '
const ACCOUNT = 'Konto '

/**
 * Names of accounts that need „Konto“ before them, ignoring case, since „fundus“ looks like „Fundus“. A
 * rebuilt trash contains „unbekannt“ where the actor is not known.
 */
const TAKEN = /^(?:(?:fundus|kommandozeile|unbekannt)$|token |konto )/i

export const SERVICE_ACTOR: NamedActor = { kind: 'service', name: SERVICE }
export const OPERATOR_ACTOR: NamedActor = { kind: 'operator', name: OPERATOR }

export function actorText({ kind, name }: NamedActor): string {
  if (kind === 'token') return `${TOKEN}${name}`
  return kind === 'account' && TAKEN.test(name) ? `${ACCOUNT}${name}` : name
}

/** The actor that a text of `actorText` names. */
export function readActor(text: string): NamedActor {
  if (text.startsWith(TOKEN)) return { kind: 'token', name: text.slice(TOKEN.length) }
  if (text.startsWith(ACCOUNT)) return { kind: 'account', name: text.slice(ACCOUNT.length) }
  if (text === SERVICE) return SERVICE_ACTOR
  return text === OPERATOR ? OPERATOR_ACTOR : { kind: 'account', name: text }
}
