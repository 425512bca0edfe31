/** Patterns such as `items/*.png`: paths made from names, and files matched to names. */
import { cleanPath } from '../../../../src/contract/paths/clean-path.ts'
import { type PathFault, pathFault, splitPath } from '../../../../src/contract/paths/paths.ts'
import type { Candidate } from '../../uploads/plan/candidates.ts'

export const STAR = '*'

export const pathFor = (pattern: string, name: string) => pattern.replaceAll(STAR, name)

/** `star`: the pattern has no star. */
export type PatternFault = 'star' | PathFault

export function patternFault(pattern: string): PatternFault | null {
  if (!pattern.includes(STAR)) return 'star'
  // If the shortest name gives a valid path, the pattern is valid, as on the server.
  return pathFault(pathFor(pattern, 'x'))
}

/** `items/apple.png` and `apple.png` both mean `apple` if the pattern has the rest. */
export function nameFor(pattern: string, given: string): string {
  const start = pattern.slice(0, pattern.indexOf(STAR))
  const end = pattern.slice(pattern.lastIndexOf(STAR) + 1)
  const rest = start !== '' && given.startsWith(start) ? given.slice(start.length) : given
  const cut = rest.length - end.length
  return end !== '' && cut > 0 && rest.toLowerCase().endsWith(end.toLowerCase()) ? rest.slice(0, cut) : rest
}

export type Misfit = 'name' | 'kind' | 'twice'

export interface Matches {
  matched: { candidate: Candidate; name: string }[]
  unmatched: { candidate: Candidate; why: Misfit }[]
}

/** Matches files to missing names by their own names, ignoring case. Each name gets one file. */
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

type Fit = { name: string; why?: never } | { name: null; why: Misfit }

function fitName({ path }: Candidate, open: ReadonlyMap<string, string>, pattern: string): Fit {
  const file = path.slice(path.lastIndexOf('/') + 1)
  const { stem } = splitPath(file)
  const bare = extensionOf(pattern) === '' ? file : stem
  const name = open.get(bare.toLowerCase()) ?? open.get(cleanPath(bare))
  if (name === undefined) return { name: null, why: 'name' }
  return hasExtensionOf(pattern, file) ? { name } : { name: null, why: 'kind' }
}

/** Whether the extensions agree or the pattern has none: no file is stored under another extension. */
export function hasExtensionOf(pattern: string, file: string): boolean {
  const wanted = extensionOf(pattern)
  return wanted === '' || wanted === extensionOf(file)
}

/** Normalised; empty if the pattern leaves it to the name. */
export function extensionOf(path: string): string {
  const { extension } = splitPath(pathFor(path, 'x'))
  const small = extension.toLowerCase()
  return small === '.jpeg' ? '.jpg' : small
}
