/** Assigns each file its path in the library before anything is sent, and finds names that are invalid. */

import type { TextPair } from '../../base/language.ts'
import { cleanPath } from '../../contract/paths/clean-path.ts'
import { lowerCaseAscii, PATH_FAULTS, PATH_FAULTS_ENGLISH, pathFault } from '../../contract/paths/paths.ts'

export interface PathPlan<Item> {
  item: Item
  path: string
}

export interface UnfitFile {
  /** The old address, or the name in the local folder. */
  source: string
  /** The reason, as a clause. */
  why: TextPair
}

export interface PlanOptions {
  /** The folder for all files; empty: the top. */
  prefix: string
  /** If true, names that break the path rules are cleaned as in the dashboard. */
  clean: boolean
  /** The paths that were planned earlier, each with its source; used when files are found over time. */
  taken?: Map<string, string>
}

export interface Plan<Item> {
  planned: PathPlan<Item>[]
  unfit: UnfitFile[]
}

/**
 * Plans the paths. Of two files with the same path the second is unfit, so that neither silently replaces the
 * other.
 */
export function planPaths<Item extends { name: string; from?: string; size?: number }>(
  items: readonly Item[],
  options: PlanOptions,
): Plan<Item> {
  const planned: PathPlan<Item>[] = []
  const unfit: UnfitFile[] = []
  const { taken = new Map<string, string>() } = options
  for (const item of items) {
    const source = item.from ?? item.name
    const path = pathFor(item.name, options)
    const twin = taken.get(path)
    const why =
      item.size === 0
        ? EMPTY
        : (pathProblemOf(path) ?? (twin === undefined || twin === source ? null : samePath(twin, path)))
    if (why === null) {
      taken.set(path, source)
      planned.push({ item, path })
    } else unfit.push({ source, why })
  }
  return { planned, unfit }
}

const EMPTY: TextPair = [
  'die Datei ist leer, und leere Dateien nimmt der Dienst nicht an',
  'the file is empty, and the service takes no empty files',
]

const samePath = (twin: string, path: string): TextPair => [
  `ergäbe denselben Pfad wie „${twin}“: ${path}`,
  `would get the same path as “${twin}”: ${path}`,
]

/** Why a path may not be stored, as a clause; null if it may. */
export function pathProblemOf(path: string): TextPair | null {
  const fault = pathFault(path)
  return fault && [PATH_FAULTS[fault], PATH_FAULTS_ENGLISH[fault]]
}

/**
 * The path for a name, in lower case as for every upload by a tool. Only the name is cleaned, not the target
 * folder.
 */
function pathFor(name: string, { prefix, clean }: PlanOptions): string {
  const below = (path: string) => (prefix === '' ? path : `${prefix}/${path}`)
  const wanted = below(name)
  return lowerCaseAscii(clean && pathFault(wanted) !== null ? below(cleanPath(name)) : wanted)
}
