/**
 * The sentence of an entry: a template with placeholders, which is split into pieces. Also parses the
 * descriptions of rights and tokens in the history.
 */
import { type LimitName, TOKEN_LIMITS } from '../../../../src/contract/accounts/token-limits.ts'

export type SentencePiece = { text: string } | { placeholder: string }

const PLACEHOLDER = /\{([a-z]+)\}/

/**
 * Splits a template into pieces: `'{wer} hat {pfad} …'` becomes the placeholder `wer`, the text ` hat `, the
 * placeholder `pfad`, …
 */
export const splitTemplate = (template: string): SentencePiece[] =>
  template
    .split(PLACEHOLDER)
    .map((part, index) => (index % 2 === 1 ? { placeholder: part } : { text: part }))
    .filter(piece => !('text' in piece && piece.text === ''))

export interface DescribedRights {
  /** The name of the account; empty for an invitation. */
  name: string
  role: string
  /** The folders to which the account is limited; null if it may use all. */
  folders: string[] | null
}

/**
 * Parses the text in which the history describes rights, such as `Nora rolle=redaktion ordner=items,logos`;
 * null for any other text.
 */
export function parseRightsDescription(description: string): DescribedRights | null {
  const match = /^(.*?) ?rolle=(\w+)(?: ordner=(\S+))?$/.exec(description)
  if (!match) return null
  const [, name = '', role = '', folders] = match
  return { name, role, folders: folders?.split(',') ?? null }
}

export interface DescribedToken {
  name: string
  limits: { limit: LimitName; value: string }[]
}

const LIMIT_SEPARATOR = new RegExp(` (?=(?:${TOKEN_LIMITS.map(({ wireName }) => wireName).join('|')})=)`)

/**
 * Parses the text in which the history describes a token: its name, which may contain spaces, and its limits,
 * such as `Bot zwei darf_loeschen=true`.
 */
export function parseTokenDescription(description: string): DescribedToken {
  const [name = '', ...limitParts] = description.split(LIMIT_SEPARATOR)
  return {
    name,
    limits: limitParts.map(part => {
      const separatorIndex = part.indexOf('=')
      return { limit: part.slice(0, separatorIndex) as LimitName, value: part.slice(separatorIndex + 1) }
    }),
  }
}
