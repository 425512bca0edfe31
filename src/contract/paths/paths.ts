/**
 * The path rules, shared by server and dashboard. A path that breaks a rule is refused, unless an upload or a
 * rename asks for cleaned names (`clean-path.ts`).
 */

import { trimBothEnds } from '../values/text.ts'

export const PATH_MAX_LENGTH = 200
export const PATH_MAX_LEVELS = 8

const SEGMENT_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]*$/

/** What is wrong with a path, as German clauses. */
export const PATH_FAULTS = {
  empty: 'er ist leer',
  long: `er ist länger als ${PATH_MAX_LENGTH} Zeichen`,
  deep: `er hat mehr als ${PATH_MAX_LEVELS} Ebenen`,
  gap: 'er enthält einen leeren Abschnitt',
  letters:
    'jeder Abschnitt beginnt mit einem Buchstaben oder einer Ziffer und enthält sonst nur Buchstaben (a–z), Ziffern, Punkt, Bindestrich und Unterstrich',
} as const
export type PathFault = keyof typeof PATH_FAULTS

/** `PATH_FAULTS` in English, for the dashboard and for commands. */
export const PATH_FAULTS_ENGLISH: Readonly<Record<PathFault, string>> = {
  empty: 'it is empty',
  long: `it is longer than ${PATH_MAX_LENGTH} characters`,
  deep: `it has more than ${PATH_MAX_LEVELS} levels`,
  gap: 'it has an empty part',
  letters:
    'each part begins with a letter or digit and has only letters (a–z), digits, dots, hyphens and underscores besides',
}

/** The first rule that `path` breaks; null if it breaks none. */
export function pathFault(path: string): PathFault | null {
  if (path === '') return 'empty'
  if (path.length > PATH_MAX_LENGTH) return 'long'
  const segments = path.split('/')
  if (segments.length > PATH_MAX_LEVELS) return 'deep'
  for (const segment of segments) {
    if (segment === '') return 'gap'
    if (!SEGMENT_PATTERN.test(segment)) return 'letters'
  }
  return null
}

/** The first rule that `path` breaks, as a German clause; null if it breaks none. */
export function germanPathFault(path: string): string | null {
  const fault = pathFault(path)
  return fault && PATH_FAULTS[fault]
}

export function isValidPath(path: string): boolean {
  return germanPathFault(path) === null
}

/**
 * Changes only ASCII letters to lower case: Unicode rules would turn a forbidden letter, such as the Kelvin
 * sign, into an allowed one.
 */
export function lowerCaseAscii(path: string): string {
  return path.replace(/[A-Z]/g, letter => letter.toLowerCase())
}

/** Characters allowed in a name, but not at either end of a generated one. */
const PUNCTUATION = '._-'

/**
 * Cleans a generated name: lower case, `-` for forbidden characters, no punctuation at either end, at most
 * `maxLength` characters.
 */
export function cleanGeneratedName(stem: string, maxLength: number): string {
  const cleanedName = stem.toLowerCase().replace(/[^a-z0-9._-]+/g, '-')
  return trimBothEnds(trimBothEnds(cleanedName, PUNCTUATION).slice(0, Math.max(maxLength, 0)), PUNCTUATION)
}

/**
 * Splits a path. `folder`: everything before the last `/`; empty at the top. `extension`: with its dot, or
 * empty. `a.` has no extension: its dot belongs to the stem.
 */
export function splitPath(path: string) {
  const slash = path.lastIndexOf('/')
  const name = path.slice(slash + 1)
  const dot = name.lastIndexOf('.')
  const extensionStart = dot > 0 && dot < name.length - 1 ? dot : name.length
  return {
    folder: path.slice(0, Math.max(slash, 0)),
    stem: name.slice(0, extensionStart),
    extension: name.slice(extensionStart),
  }
}

export const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)

/** The part after the last `/` or `\`, for a name from a client, which may run Windows. */
export const baseName = (path: string) => nameOf(path.replaceAll('\\', '/'))

/**
 * Whether the path is below the folder `prefix`, which may be given with or without its final `/`: `items/a`
 * is below `items`, `items2/a` is not. Every path is below the empty prefix.
 */
export function isBelow(path: string, prefix: string): boolean {
  return prefix === '' || path.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`)
}
