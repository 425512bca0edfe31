/** Patterns such as `items/*.png`: makes paths from names, and matches files to names. */
import { cleanPath } from '../../../../src/contract/paths/clean-path.ts'
import { splitPath } from '../../../../src/contract/paths/path-parts.ts'
import { type PathFault, pathFault } from '../../../../src/contract/paths/path-rules.ts'
import type { UploadCandidate } from '../../uploads/plan/candidates.ts'

export const STAR = '*'

export const pathFor = (pattern: string, name: string) => pattern.replaceAll(STAR, name)

/**
 * What is wrong with a pattern. `star`: it contains no `*`. Any other value: why the paths made with it are
 * invalid.
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
export function nameOfEntry(pattern: string, text: string): string {
  const prefix = pattern.slice(0, pattern.indexOf(STAR))
  const suffix = pattern.slice(pattern.lastIndexOf(STAR) + 1)
  const withoutPrefix = prefix !== '' && text.startsWith(prefix) ? text.slice(prefix.length) : text
  const nameLength = withoutPrefix.length - suffix.length
  return suffix !== '' && nameLength > 0 && withoutPrefix.toLowerCase().endsWith(suffix.toLowerCase())
    ? withoutPrefix.slice(0, nameLength)
    : withoutPrefix
}

export type MismatchReason = 'name' | 'kind' | 'twice'

export interface FileMatches {
  matched: { candidate: UploadCandidate; name: string }[]
  unmatched: { candidate: UploadCandidate; reason: MismatchReason }[]
}

/**
 * Matches files to missing names by their file names, ignoring case. If the pattern has an extension, the
 * file must have the same, and the name is compared without it. A file name that breaks the path rules also
 * matches in its cleaned form (`cleanPath`). Each name gets at most one file.
 */
export function matchFiles(
  candidates: readonly UploadCandidate[],
  missingNames: readonly string[],
  pattern: string,
): FileMatches {
  const missingByLowerCase = new Map(missingNames.map(name => [name.toLowerCase(), name]))
  const matchedNames = new Set<string>()
  const matches: FileMatches = { matched: [], unmatched: [] }
  for (const candidate of candidates) {
    const { name, reason } = matchCandidate(candidate, missingByLowerCase, pattern)
    if (name === null) matches.unmatched.push({ candidate, reason })
    else if (matchedNames.has(name)) matches.unmatched.push({ candidate, reason: 'twice' })
    else {
      matchedNames.add(name)
      matches.matched.push({ candidate, name })
    }
  }
  return matches
}

type NameMatch = { name: string; reason?: never } | { name: null; reason: MismatchReason }

function matchCandidate(
  { path }: UploadCandidate,
  missingByLowerCase: ReadonlyMap<string, string>,
  pattern: string,
): NameMatch {
  const fileName = path.slice(path.lastIndexOf('/') + 1)
  const { stem } = splitPath(fileName)
  const comparedName = extensionOf(pattern) === '' ? fileName : stem
  const name =
    missingByLowerCase.get(comparedName.toLowerCase()) ?? missingByLowerCase.get(cleanPath(comparedName))
  if (name === undefined) return { name: null, reason: 'name' }
  return hasExtensionOfPattern(pattern, fileName) ? { name } : { name: null, reason: 'kind' }
}

/**
 * Whether the file may be stored under a path of this pattern: if the pattern has an extension, the file must
 * have the same, where `.jpeg` equals `.jpg`.
 */
export function hasExtensionOfPattern(pattern: string, file: string): boolean {
  const patternExtension = extensionOf(pattern)
  return patternExtension === '' || patternExtension === extensionOf(file)
}

/** The extension of a pattern or path in lower case, `.jpg` in place of `.jpeg`; empty if there is none. */
export function extensionOf(path: string): string {
  const { extension } = splitPath(pathFor(path, 'x'))
  const lowerCaseExtension = extension.toLowerCase()
  return lowerCaseExtension === '.jpeg' ? '.jpg' : lowerCaseExtension
}
