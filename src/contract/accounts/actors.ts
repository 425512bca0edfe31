/**
 * The actor of an action as text on the wire (`wer`, `geloescht_von`, `erstellt_von`). An account named like
 * the service, the command line, a token or a drop link is written with „Konto“ before its name, so that it
 * cannot be mistaken for one of them.
 */

const ACTOR_KINDS = ['account', 'token', 'drop', 'service', 'operator'] as const
/** `operator`: the person at the command line. `drop`: a visitor of a drop link, named by its folder. */
export type ActorKind = (typeof ACTOR_KINDS)[number]

export interface NamedActor {
  kind: ActorKind
  /** The service and the command line have fixed names. */
  name: string
}

const SERVICE = 'Fundus'
const OPERATOR = 'Kommandozeile'
const TOKEN = 'Token '
const DROP = 'Abgabe '
const ACCOUNT = 'Konto '

/**
 * Account names that need „Konto“ before them, ignoring case: „fundus“ looks like „Fundus“. In a rebuilt
 * trash „unbekannt“ is the name of an unknown actor.
 */
const RESERVED_NAMES = /^(?:(?:fundus|kommandozeile|unbekannt)$|token |abgabe |konto )/i

export const SERVICE_ACTOR: NamedActor = { kind: 'service', name: SERVICE }
export const OPERATOR_ACTOR: NamedActor = { kind: 'operator', name: OPERATOR }

export function actorText({ kind, name }: NamedActor): string {
  if (kind === 'token') return `${TOKEN}${name}`
  if (kind === 'drop') return `${DROP}${name}`
  return kind === 'account' && RESERVED_NAMES.test(name) ? `${ACCOUNT}${name}` : name
}

/** The inverse of `actorText`. */
export function readActor(text: string): NamedActor {
  if (text.startsWith(TOKEN)) return { kind: 'token', name: text.slice(TOKEN.length) }
  if (text.startsWith(DROP)) return { kind: 'drop', name: text.slice(DROP.length) }
  if (text.startsWith(ACCOUNT)) return { kind: 'account', name: text.slice(ACCOUNT.length) }
  if (text === SERVICE) return SERVICE_ACTOR
  return text === OPERATOR ? OPERATOR_ACTOR : { kind: 'account', name: text }
}
