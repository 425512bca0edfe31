/**
 * Who did something, as one text on the wire (`wer`, `geloescht_von`, `erstellt_von`). The text tells the kind as well:
 * an account that is named like the service, the command line or a token is written with „Konto“ before its name, so that
 * it never passes for one of those.
 */

export const ACTOR_KINDS = ['account', 'token', 'service', 'operator'] as const
/** `operator`: whoever sits at the command line. */
export type ActorKind = (typeof ACTOR_KINDS)[number]

export interface NamedActor {
  kind: ActorKind
  /** Of the service and the command line it is always the same. */
  name: string
}

const SERVICE = 'Fundus'
const OPERATOR = 'Kommandozeile'
const TOKEN = 'Token '
const ACCOUNT = 'Konto '

/** In any case, since „fundus“ looks like it too. The last stands where a rebuilt trash does not know who it was. */
const TAKEN = /^(?:(?:fundus|kommandozeile|unbekannt)$|token |konto )/i

export const SERVICE_ACTOR: NamedActor = { kind: 'service', name: SERVICE }
export const OPERATOR_ACTOR: NamedActor = { kind: 'operator', name: OPERATOR }

export function actorText({ kind, name }: NamedActor): string {
  if (kind === 'token') return `${TOKEN}${name}`
  return kind === 'account' && TAKEN.test(name) ? `${ACCOUNT}${name}` : name
}

/** The other way round. */
export function readActor(text: string): NamedActor {
  if (text.startsWith(TOKEN)) return { kind: 'token', name: text.slice(TOKEN.length) }
  if (text.startsWith(ACCOUNT)) return { kind: 'account', name: text.slice(ACCOUNT.length) }
  if (text === SERVICE) return SERVICE_ACTOR
  return text === OPERATOR ? OPERATOR_ACTOR : { kind: 'account', name: text }
}
