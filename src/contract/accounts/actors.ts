/**
 * The actor of an action as text on the wire (`wer`, `geloescht_von`, `erstellt_von`). If the name of an
 * account looks like the service, the command line, a token or a drop link, „Konto“ (account) is written
 * before the name, so that the account is not mistaken for one of them.
 */

const ACTOR_KINDS = ['account', 'token', 'drop', 'service', 'operator'] as const
/**
 * `operator`: whoever runs a command. `drop`: a visitor of a drop link; the name is that of the link's
 * folder.
 */
export type ActorKind = (typeof ACTOR_KINDS)[number]

export interface NamedActor {
  kind: ActorKind
  /** The name of the account, token or folder; fixed for the service and the command line. */
  name: string
}

const SERVICE_NAME = 'Fundus'
const OPERATOR_NAME = 'Kommandozeile'
const TOKEN_LABEL = 'Token '
const DROP_LABEL = 'Abgabe '
const ACCOUNT_LABEL = 'Konto '

/**
 * Account names that could be mistaken for another kind of actor, ignoring case. They are shown with
 * „Konto“ before them. „unbekannt“ is the actor of trash entries that `fundus rebuild` made.
 */
const AMBIGUOUS_NAME_PATTERN = /^(?:(?:fundus|kommandozeile|unbekannt)$|token |abgabe |konto )/i

export const SERVICE_ACTOR: NamedActor = { kind: 'service', name: SERVICE_NAME }
export const OPERATOR_ACTOR: NamedActor = { kind: 'operator', name: OPERATOR_NAME }

export function actorText({ kind, name }: NamedActor): string {
  if (kind === 'token') return `${TOKEN_LABEL}${name}`
  if (kind === 'drop') return `${DROP_LABEL}${name}`
  return kind === 'account' && AMBIGUOUS_NAME_PATTERN.test(name) ? `${ACCOUNT_LABEL}${name}` : name
}

/** The inverse of `actorText`. */
export function parseActor(text: string): NamedActor {
  if (text.startsWith(TOKEN_LABEL)) return { kind: 'token', name: text.slice(TOKEN_LABEL.length) }
  if (text.startsWith(DROP_LABEL)) return { kind: 'drop', name: text.slice(DROP_LABEL.length) }
  if (text.startsWith(ACCOUNT_LABEL)) return { kind: 'account', name: text.slice(ACCOUNT_LABEL.length) }
  if (text === SERVICE_NAME) return SERVICE_ACTOR
  return text === OPERATOR_NAME ? OPERATOR_ACTOR : { kind: 'account', name: text }
}
