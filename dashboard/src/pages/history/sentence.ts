/** An entry as a sentence: a template with placeholders, split into pieces. */
import { type LimitName, TOKEN_LIMITS } from '../../../../src/contract/accounts/token-limits.ts'

export type Piece = { text: string } | { gap: string }

const GAP = /\{([a-z]+)\}/

/** `'{wer} hat {pfad} …'` → the placeholder `wer`, the text ` hat `, the placeholder `pfad`, … */
export const pieces = (template: string): Piece[] =>
  template
    .split(GAP)
    .map((part, at) => (at % 2 === 1 ? { gap: part } : { text: part }))
    .filter(piece => !('text' in piece && piece.text === ''))

export interface DescribedRights {
  /** The name of the account; empty for an invitation. */
  name: string
  role: string
  /** Null: all. */
  folders: string[] | null
}

/** `Nora rolle=redaktion ordner=items,logos`, from the history; null for any other text. */
export function readRights(described: string): DescribedRights | null {
  const found = /^(.*?) ?rolle=(\w+)(?: ordner=(\S+))?$/.exec(described)
  if (!found) return null
  const [, name = '', role = '', folders] = found
  return { name, role, folders: folders?.split(',') ?? null }
}

export interface DescribedToken {
  name: string
  limits: { limit: LimitName; value: string }[]
}

const FIRST_LIMIT = new RegExp(` (?=(?:${TOKEN_LIMITS.map(({ wire }) => wire).join('|')})=)`)

/** `Spielserver praefix=items/ darf_loeschen=true`, from the history. A name may contain spaces. */
export function readToken(described: string): DescribedToken {
  const [name = '', ...given] = described.split(FIRST_LIMIT)
  return {
    name,
    limits: given.map(part => {
      const at = part.indexOf('=')
      return { limit: part.slice(0, at) as LimitName, value: part.slice(at + 1) }
    }),
  }
}
