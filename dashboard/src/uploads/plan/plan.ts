/** The plan of an upload, made before anything is sent: the target of each file, and conflicts. */
import { cleanPath } from '../../../../src/contract/paths/clean-path.ts'
import { lowerCaseAscii, type PathFault, pathFault, splitPath } from '../../../../src/contract/paths/paths.ts'
import { ZIP_MAX_UPLOAD_BYTES } from '../../../../src/contract/values/limits.ts'
import type { Candidate } from './candidates.ts'

export type ConflictChoice = 'skip' | 'overwrite' | 'rename'

/** Why a file was not sent. */
export type Omission =
  | { cause: 'empty' | 'skipped' }
  | { cause: 'large'; most: number }
  | { cause: 'path'; fault: PathFault }

export interface OmittedFile {
  file: File
  name: string
  why: Omission
}

/** A file that is left out whatever the user chooses; `fault` is the rule that its path breaks. */
export interface LeftOutFile {
  candidate: Candidate
  why: 'large' | 'empty' | 'path'
  fault?: PathFault
}

export interface PlannedFile {
  candidate: Candidate
  /** The full target path. An archive is unpacked into the folder of this path. */
  target: string
  /** The rule that the original path breaks; `target` is then a cleaned path. */
  fault: PathFault | null
  archive: boolean
  /** `taken`: a file exists at the target. `twin`: an earlier file of the same upload has the same target. */
  conflict: 'taken' | 'twin' | null
  /** A free path, if there is a conflict. */
  free: string
}

export interface Plan {
  planned: PlannedFile[]
  leftOut: LeftOutFile[]
}

export interface Job {
  file: File
  name: string
  target: string
  overwrite: boolean
  archive: boolean
  /** The id of the action, the same for all files of one upload: the history groups them by it. */
  action: string
}

export interface PlanOptions {
  /** The target folder; empty: the top. */
  folder: string
  /** Maximum size of one file in bytes. */
  maxBytes: number
}

/** Returns which of these paths are taken. */
export type FindTaken = (paths: readonly string[]) => Promise<ReadonlySet<string>>

/** Number of candidate names that are checked at a time. */
const TRIES = 8

export async function makePlan(
  candidates: readonly Candidate[],
  bounds: PlanOptions,
  taken: FindTaken,
): Promise<Plan> {
  const leftOut: LeftOutFile[] = []
  const planned: PlannedFile[] = []
  for (const candidate of candidates) {
    const judged = judge(candidate, bounds)
    if ('why' in judged) leftOut.push(judged)
    else planned.push(judged)
  }
  await findConflicts(planned, taken)
  return { planned, leftOut }
}

function judge(candidate: Candidate, { folder, maxBytes }: PlanOptions): PlannedFile | LeftOutFile {
  const { file, path, exact = false } = candidate
  const archive = isArchive(path)
  if (file.size === 0) return { candidate, why: 'empty' }
  if (file.size > (archive ? ZIP_MAX_UPLOAD_BYTES : maxBytes)) return { candidate, why: 'large' }
  const wanted = pathBelow(folder, path)
  const fault = faultOf(wanted, archive)
  // Only the path of the file itself is cleaned; the target folder is only lower-cased.
  const target = lowerCaseAscii(fault === null || exact ? wanted : pathBelow(folder, cleanPath(path)))
  const remaining = fault && faultOf(target, archive)
  if (remaining) return { candidate, why: 'path', fault: remaining }
  return { candidate, target, fault, archive, conflict: null, free: target }
}

/**
 * The rule that a path breaks. Of an archive only the folder counts, because it is not stored under its own
 * name.
 */
function faultOf(path: string, archive: boolean): PathFault | null {
  const { folder } = splitPath(path)
  if (archive) return folder === '' ? null : pathFault(folder)
  return pathFault(path)
}

/**
 * Marks conflicts: a free path is given to the first file with that target, and all further files have a
 * conflict.
 */
async function findConflicts(planned: readonly PlannedFile[], taken: FindTaken): Promise<void> {
  const files = planned.filter(({ archive }) => !archive)
  const present = await taken(unique(files.map(({ target }) => target)))
  const claimed = new Set<string>()
  const conflicting: PlannedFile[] = []
  for (const each of files) {
    if (claimed.has(each.target)) each.conflict = 'twin'
    else if (present.has(each.target)) each.conflict = 'taken'
    claimed.add(each.target)
    if (each.conflict) conflicting.push(each)
  }
  await findFreeNames(conflicting, claimed, taken)
}

/**
 * Sets a free path for each file: `a-2.png` for `a.png`, or the next free number. The paths are added to
 * `claimed`.
 */
async function findFreeNames(
  items: readonly PlannedFile[],
  claimed: Set<string>,
  taken: FindTaken,
): Promise<void> {
  let open = items
  for (let from = 2; open.length > 0; from += TRIES) {
    const present = await taken(unique(open.flatMap(({ target }) => numberedPaths(target, from))))
    open = open.filter(item => {
      const free = numberedPaths(item.target, from).find(path => !present.has(path) && !claimed.has(path))
      if (free === undefined) return true
      claimed.add(free)
      item.free = free
      return false
    })
  }
}

function numberedPaths(path: string, from: number): string[] {
  const { folder, stem, extension } = splitPath(path)
  return Array.from({ length: TRIES }, (_, at) => pathBelow(folder, `${stem}-${from + at}${extension}`))
}

/** Whether the stored path differs from the original one only by lower case. */
export const isLowered = ({ candidate, target, fault, archive }: PlannedFile) =>
  !archive && fault === null && !target.endsWith(candidate.path)

export interface Decisions {
  conflicts: ConflictChoice
  /** Whether cleaned names are accepted; otherwise files with invalid names are left out. */
  clean: boolean
}

/** The files that are sent after these decisions. */
export function filesToSend({ planned }: Plan, { conflicts, clean }: Decisions): PlannedFile[] {
  return planned.filter(
    ({ fault, conflict }) => (fault === null || clean) && (conflict === null || conflicts !== 'skip'),
  )
}

/** The files that are not sent after these decisions, each with its reason. */
export function omittedFiles(plan: Plan, { conflicts, clean }: Decisions, maxBytes: number): OmittedFile[] {
  const omit = ({ file, path }: Candidate, why: Omission): OmittedFile => ({ file, name: path, why })
  return [
    ...plan.leftOut.map(({ candidate, why, fault }) => {
      if (fault) return omit(candidate, { cause: 'path', fault })
      const most = isArchive(candidate.path) ? ZIP_MAX_UPLOAD_BYTES : maxBytes
      return omit(candidate, why === 'empty' ? { cause: 'empty' } : { cause: 'large', most })
    }),
    ...plan.planned.flatMap(({ candidate, fault, conflict }) => {
      if (fault !== null && !clean) return omit(candidate, { cause: 'path', fault })
      return conflict !== null && conflicts === 'skip' ? omit(candidate, { cause: 'skipped' }) : []
    }),
  ]
}

/**
 * Whether the file gets its free path. Of two files of an upload with the same target, neither may replace
 * the other, so the second one always gets another name.
 */
const isRenamed = ({ conflict }: PlannedFile, choice: ConflictChoice) =>
  conflict === 'twin' || (conflict === 'taken' && choice === 'rename')

export const makeJobs = (plan: Plan, decisions: Decisions, action: string): Job[] =>
  filesToSend(plan, decisions).map(each => ({
    action,
    file: each.candidate.file,
    name: each.candidate.path,
    target: isRenamed(each, decisions.conflicts) ? each.free : each.target,
    overwrite: each.conflict === 'taken' && decisions.conflicts === 'overwrite',
    archive: each.archive,
  }))

export const isArchive = (path: string) => /\.zip$/i.test(path)

const pathBelow = (folder: string, path: string) => (folder === '' ? path : `${folder}/${path}`)

const unique = (paths: readonly string[]) => [...new Set(paths)]
