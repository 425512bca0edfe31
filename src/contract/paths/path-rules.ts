/**
 * The path rules, shared by server and dashboard. A path that breaks a rule is refused, unless an upload or a
 * rename asks for cleaned names (`clean-path.ts`).
 */

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
