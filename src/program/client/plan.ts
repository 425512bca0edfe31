/** Assigns each file its path in the library before it is sent, and finds files that cannot be sent. */

import type { TextPair } from '../../base/language.ts'
import { cleanPath } from '../../contract/paths/clean-path.ts'
import { lowerCaseAscii } from '../../contract/paths/lower-case.ts'
import { pathBelow } from '../../contract/paths/path-parts.ts'
import { PATH_FAULTS, PATH_FAULTS_ENGLISH, pathFault } from '../../contract/paths/path-rules.ts'

export interface PlannedFile<Item> {
  item: Item
  path: string
}

export interface UnfitFile {
  /** The old address, or the name in the local folder or archive. */
  source: string
  /** Why the file cannot be sent, as a clause. */
  reason: TextPair
}

export interface PlanOptions {
  /** The target folder of all files; empty for the top level. */
  prefix: string
  /** If true, names that break the path rules are cleaned as in the dashboard. */
  cleanNames: boolean
  /**
   * The source of each file that earlier calls have planned, by path; each call adds its own files. Needed
   * for `--watch`, which plans one batch of files after the other.
   */
  plannedSources?: Map<string, string>
}

export interface UploadPlan<Item> {
  plannedFiles: PlannedFile<Item>[]
  unfitFiles: UnfitFile[]
}

/**
 * Plans the path of each file. Empty files and files with invalid paths are unfit. So is a file that would
 * get the same path as an earlier one, because otherwise one would silently replace the other.
 */
export function planPaths<Item extends { name: string; from?: string; size?: number }>(
  items: readonly Item[],
  options: PlanOptions,
): UploadPlan<Item> {
  const plannedFiles: PlannedFile<Item>[] = []
  const unfitFiles: UnfitFile[] = []
  const { plannedSources = new Map<string, string>() } = options
  for (const item of items) {
    const source = item.from ?? item.name
    const path = targetPathOf(item.name, options)
    const otherSource = plannedSources.get(path)
    const reason =
      item.size === 0
        ? EMPTY_FILE_REASON
        : (pathProblemOf(path) ??
          (otherSource === undefined || otherSource === source ? null : samePathReason(otherSource, path)))
    if (reason === null) {
      plannedSources.set(path, source)
      plannedFiles.push({ item, path })
    } else unfitFiles.push({ source, reason })
  }
  return { plannedFiles, unfitFiles }
}

const EMPTY_FILE_REASON: TextPair = [
  'die Datei ist leer, und leere Dateien nimmt der Dienst nicht an',
  'the file is empty, and the service takes no empty files',
]

const samePathReason = (otherSource: string, path: string): TextPair => [
  `ergäbe denselben Pfad wie „${otherSource}“: ${path}`,
  `would get the same path as “${otherSource}”: ${path}`,
]

/** Why a path is invalid, as a clause; null if it is valid. */
export function pathProblemOf(path: string): TextPair | null {
  const fault = pathFault(path)
  return fault && [PATH_FAULTS[fault], PATH_FAULTS_ENGLISH[fault]]
}

/**
 * The path of a file in the library, in lower case like all paths of `push` and `import`. With `cleanNames`,
 * `name` is cleaned if the path breaks the path rules; the target folder is never cleaned.
 */
function targetPathOf(name: string, { prefix, cleanNames }: PlanOptions): string {
  const wantedPath = pathBelow(prefix, name)
  return lowerCaseAscii(
    cleanNames && pathFault(wantedPath) !== null ? pathBelow(prefix, cleanPath(name)) : wantedPath,
  )
}
