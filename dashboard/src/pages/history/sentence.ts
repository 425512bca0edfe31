/** An entry as a sentence: a template with gaps, cut into pieces that the page sets differently. */

export type Piece = { text: string } | { gap: string }

const GAP = /\{([a-z]+)\}/

/** `'{wer} hat {pfad} …'` → the gap `wer`, the text ` hat `, the gap `pfad`, … */
export const pieces = (template: string): Piece[] =>
  template
    .split(GAP)
    .map((part, at) => (at % 2 === 1 ? { gap: part } : { text: part }))
    .filter(piece => !('text' in piece && piece.text === ''))

/** Who it was, as the history writes it. */
export type Who =
  | { kind: 'token'; name: string }
  | { kind: 'account'; name: string }
  | { kind: 'service' | 'commandLine' }

const TOKEN = 'Token '

export function readWho(wer: string): Who {
  if (wer.startsWith(TOKEN)) return { kind: 'token', name: wer.slice(TOKEN.length) }
  if (wer === 'Fundus') return { kind: 'service' }
  if (wer === 'Kommandozeile') return { kind: 'commandLine' }
  return { kind: 'account', name: wer }
}

/** The name of a token as the history names it. */
export const tokenWho = (name: string) => `${TOKEN}${name}`

const LIMITS = [
  'praefix',
  'darf_loeschen',
  'max_datei',
  'kontingent',
  'arten',
  'gueltig_bis',
  'max_kante',
] as const
export type Limit = (typeof LIMITS)[number]

export interface DescribedToken {
  name: string
  limits: { limit: Limit; value: string }[]
}

const FIRST_LIMIT = new RegExp(` (?=(?:${LIMITS.join('|')})=)`)

/** `Spielserver praefix=items/ darf_loeschen=true`, as the administration records a token. A name may hold blanks. */
export function readToken(described: string): DescribedToken {
  const [name = '', ...given] = described.split(FIRST_LIMIT)
  return {
    name,
    limits: given.map(part => {
      const at = part.indexOf('=')
      return { limit: part.slice(0, at) as Limit, value: part.slice(at + 1) }
    }),
  }
}
