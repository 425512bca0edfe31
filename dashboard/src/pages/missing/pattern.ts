/** Patterns such as `items/*.png`: makes paths from names, and matches files to names. */
import { cleanPath } from '../../../../src/contract/paths/clean-path.ts'
import { type PathFault, pathFault, splitPath } from '../../../../src/contract/paths/paths.ts'
import type { Candidate } from '../../uploads/plan/candidates.ts'

export const STAR = '*'

export const pathFor = (pattern: string, name: string) => pattern.replaceAll(STAR, name)

/**
 * What is wrong with a pattern: `star` means that it contains no star, any other value that it would give
 * invalid paths.
 */
export type PatternFault = 'star' | PathFault

export function patternFault(pattern: string): PatternFault | null {
  if (!pattern.includes(STAR)) return 'star'
  // The pattern is valid if a name of one letter gives a valid path. The server uses the same rule.
  return pathFault(pathFor(pattern, 'x'))
}

/**
 * The name for which an entry of the list stands: with the pattern `items/*.png`, both `items/apple.png` and
 * `apple.png` stand for `apple`.
 */
export function nameFor(pattern: string, text: string): string {
  const start = pattern.slice(0, pattern.indexOf(STAR))
  const end = pattern.slice(pattern.lastIndexOf(STAR) + 1)
  const withoutStart = start !== '' && text.startsWith(start) ? text.slice(start.length) : text
  const nameLength = withoutStart.length - end.length
  return end !== '' && nameLength > 0 && withoutStart.toLowerCase().endsWith(end.toLowerCase())
    ? withoutStart.slice(0, nameLength)
    : withoutStart
}

export type MismatchReason = 'name' | 'kind' | 'twice'

export interface Matches {
  matched: { candidate: Candidate; name: string }[]
  unmatched: { candidate: Candidate; why: MismatchReason }[]
}

/**
 * Matches files to missing names by their file names, ignoring case. If the pattern has an extension, the
 * file must have the same, and the name is compared without it. A file name that breaks the path rules also
 * matches in its cleaned form (`cleanPath`). Each name gets at most one file.
 */
export function matchFiles(
  candidates: readonly Candidate[],
  missing: readonly string[],
  pattern: string,
): Matches {
  const missingByLowerCase = new Map(missing.map(name => [name.toLowerCase(), name]))
  const matchedNames = new Set<string>()
  const result: Matches = { matched: [], unmatched: [] }
  for (const candidate of candidates) {
    const { name, why } = matchCandidate(candidate, missingByLowerCase, pattern)
    if (name === null) result.unmatched.push({ candidate, why })
    else if (matchedNames.has(name)) result.unmatched.push({ candidate, why: 'twice' })
    else {
      matchedNames.add(name)
      result.matched.push({ candidate, name })
    }
  }
  return result
}

type NameMatch = { name: string; why?: never } | { name: null; why: MismatchReason }

function matchCandidate(
  { path }: Candidate,
  missingByLowerCase: ReadonlyMap<string, string>,
  pattern: string,
): NameMatch {
  const fileName = path.slice(path.lastIndexOf('/') + 1)
  const { stem } = splitPath(fileName)
  const comparedName = extensionOf(pattern) === '' ? fileName : stem
  const name =
    missingByLowerCase.get(comparedName.toLowerCase()) ?? missingByLowerCase.get(cleanPath(comparedName))
  if (name === undefined) return { name: null, why: 'name' }
  return hasExtensionOf(pattern, fileName) ? { name } : { name: null, why: 'kind' }
}

/**
 * Whether the file may be stored under a path of this pattern: if the pattern has an extension, the file must
 * have the same, where `.jpeg` equals `.jpg`.
 */
export function hasExtensionOf(pattern: string, file: string): boolean {
  const patternExtension = extensionOf(pattern)
  return patternExtension === '' || patternExtension === extensionOf(file)
}

/** The extension of a pattern or path in lower case, `.jpg` in place of `.jpeg`; empty if there is none. */
export function extensionOf(path: string): string {
  const { extension } = splitPath(pathFor(path, 'x'))
  const lowerCased = extension.toLowerCase()
  return lowerCased === '.jpeg' ? '.jpg' : lowerCased
}
