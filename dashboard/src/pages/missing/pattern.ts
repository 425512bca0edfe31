/** Patterns such as `items/*.png`: makes paths from names, and matches files to names. */
import { cleanPath } from '../../../../src/contract/paths/clean-path.ts'
import { type PathFault, pathFault, splitPath } from '../../../../src/contract/paths/paths.ts'
import type { Candidate } from '../../uploads/plan/candidates.ts'

export const STAR = '*'

export const pathFor = (pattern: string, name: string) => pattern.replaceAll(STAR, name)

/** What is wrong with a pattern; `star` means that it contains no star. */
export type PatternFault = 'star' | PathFault

export function patternFault(pattern: string): PatternFault | null {
  if (!pattern.includes(STAR)) return 'star'
  // The pattern is valid if a name of one letter gives a valid path. The server uses the same rule.
  return pathFault(pathFor(pattern, 'x'))
}

/**
 * The name that a text means: with the pattern `items/*.png`, both `items/apple.png` and `apple.png` mean
 * `apple`.
 */
export function nameFor(pattern: string, given: string): string {
  const start = pattern.slice(0, pattern.indexOf(STAR))
  const end = pattern.slice(pattern.lastIndexOf(STAR) + 1)
  const rest = start !== '' && given.startsWith(start) ? given.slice(start.length) : given
  const cut = rest.length - end.length
  return end !== '' && cut > 0 && rest.toLowerCase().endsWith(end.toLowerCase()) ? rest.slice(0, cut) : rest
}

export type MismatchReason = 'name' | 'kind' | 'twice'

export interface Matches {
  matched: { candidate: Candidate; name: string }[]
  unmatched: { candidate: Candidate; why: MismatchReason }[]
}

/** Matches files to missing names by their own names, ignoring case. Each name gets a single file. */
export function matchFiles(
  candidates: readonly Candidate[],
  missing: readonly string[],
  pattern: string,
): Matches {
  const open = new Map(missing.map(name => [name.toLowerCase(), name]))
  const given = new Set<string>()
  const result: Matches = { matched: [], unmatched: [] }
  for (const candidate of candidates) {
    const { name, why } = fitName(candidate, open, pattern)
    if (name === null) result.unmatched.push({ candidate, why })
    else if (given.has(name)) result.unmatched.push({ candidate, why: 'twice' })
    else {
      given.add(name)
      result.matched.push({ candidate, name })
    }
  }
  return result
}

type Fit = { name: string; why?: never } | { name: null; why: MismatchReason }

function fitName({ path }: Candidate, open: ReadonlyMap<string, string>, pattern: string): Fit {
  const file = path.slice(path.lastIndexOf('/') + 1)
  const { stem } = splitPath(file)
  const bare = extensionOf(pattern) === '' ? file : stem
  const name = open.get(bare.toLowerCase()) ?? open.get(cleanPath(bare))
  if (name === undefined) return { name: null, why: 'name' }
  return hasExtensionOf(pattern, file) ? { name } : { name: null, why: 'kind' }
}

/**
 * Whether the file has the extension of the pattern, or the pattern has none: no file is stored under another
 * extension.
 */
export function hasExtensionOf(pattern: string, file: string): boolean {
  const wanted = extensionOf(pattern)
  return wanted === '' || wanted === extensionOf(file)
}

/** The extension of a pattern or path, normalised; empty if the pattern has none. */
export function extensionOf(path: string): string {
  const { extension } = splitPath(pathFor(path, 'x'))
  const small = extension.toLowerCase()
  return small === '.jpeg' ? '.jpg' : small
}
