/**
 * The plan of an upload, made before anything is sent: the target of each file, and its conflict with another
 * file.
 */
import { cleanPath } from '../../../../src/contract/paths/clean-path.ts'
import { lowerCaseAscii } from '../../../../src/contract/paths/lower-case.ts'
import { pathBelow, splitPath } from '../../../../src/contract/paths/path-parts.ts'
import { type PathFault, pathFault } from '../../../../src/contract/paths/path-rules.ts'
import { ZIP_MAX_UPLOAD_BYTES } from '../../../../src/contract/upload/zip-limits.ts'
import type { UploadCandidate } from './candidates.ts'

export type ConflictChoice = 'skip' | 'overwrite' | 'rename'

/** Why a file was not sent. */
export type OmissionReason =
  | { cause: 'empty' | 'skipped' }
  | { cause: 'large'; maxBytes: number }
  | { cause: 'path'; fault: PathFault }

export interface OmittedFile {
  file: File
  name: string
  reason: OmissionReason
}

/** A file that cannot be uploaded, whatever the user decides; `fault` is the rule that its path breaks. */
export interface RejectedFile {
  candidate: UploadCandidate
  reason: 'large' | 'empty' | 'path'
  fault?: PathFault
}

export interface PlannedFile {
  candidate: UploadCandidate
  /** The full target path. An archive is unpacked into the folder of this path. */
  target: string
  /**
   * The rule that the path breaks before it is cleaned; null if none. If there is one, `target` is the
   * cleaned path.
   */
  fault: PathFault | null
  isZipArchive: boolean
  /** `taken`: a file exists at the target. `twin`: an earlier file of the same upload has the same target. */
  conflict: 'taken' | 'twin' | null
  /** The target or, if there is a conflict, a path that no other file has, made by adding a number. */
  freePath: string
}

export interface UploadPlan {
  plannedFiles: PlannedFile[]
  rejectedFiles: RejectedFile[]
}

/** A file to send, and how the service is to store it. */
export interface UploadJob {
  file: File
  name: string
  target: string
  overwrite: boolean
  isZipArchive: boolean
  /** The id of the action, the same for all files of one upload. The history groups the files by it. */
  action: string
}

export interface PlanOptions {
  /** The target folder; empty for the top folder. */
  folder: string
  /** Maximum size of one file in bytes. */
  maxBytes: number
}

/** Returns those of the given paths at which the library has a file. */
export type FindTakenPaths = (paths: readonly string[]) => Promise<ReadonlySet<string>>

/**
 * Number of paths (`a-2.png`, `a-3.png`, …) per file that are checked at once in order to find a free one.
 */
const NAMES_PER_CHECK = 8

export async function makePlan(
  candidates: readonly UploadCandidate[],
  options: PlanOptions,
  findTakenPaths: FindTakenPaths,
): Promise<UploadPlan> {
  const rejectedFiles: RejectedFile[] = []
  const plannedFiles: PlannedFile[] = []
  for (const candidate of candidates) {
    const outcome = planFile(candidate, options)
    if ('reason' in outcome) rejectedFiles.push(outcome)
    else plannedFiles.push(outcome)
  }
  await findConflicts(plannedFiles, findTakenPaths)
  return { plannedFiles, rejectedFiles }
}

function planFile(candidate: UploadCandidate, { folder, maxBytes }: PlanOptions): PlannedFile | RejectedFile {
  const { file, path, mustKeepPath: exact = false } = candidate
  const isZipArchive = isArchive(path)
  if (file.size === 0) return { candidate, reason: 'empty' }
  if (file.size > (isZipArchive ? ZIP_MAX_UPLOAD_BYTES : maxBytes)) return { candidate, reason: 'large' }
  const wantedPath = pathBelow(folder, path)
  const fault = pathFaultOf(wantedPath, isZipArchive)
  // Only the path of the file itself is cleaned; the target folder is only lower-cased.
  const target = lowerCaseAscii(fault === null || exact ? wantedPath : pathBelow(folder, cleanPath(path)))
  const remainingFault = fault && pathFaultOf(target, isZipArchive)
  if (remainingFault) return { candidate, reason: 'path', fault: remainingFault }
  return { candidate, target, fault, isZipArchive, conflict: null, freePath: target }
}

/**
 * The rule that a path breaks; null if none. For an archive, only its folder is checked: the entries are
 * stored there, but not the archive itself.
 */
function pathFaultOf(path: string, isZipArchive: boolean): PathFault | null {
  const { folder } = splitPath(path)
  if (isZipArchive) return folder === '' ? null : pathFault(folder)
  return pathFault(path)
}

/**
 * Sets `conflict` and `freePath` of each file that has a conflict. Archives are not checked. If several files
 * have the same target and the library has no file there, the first of them has no conflict.
 */
async function findConflicts(
  plannedFiles: readonly PlannedFile[],
  findTakenPaths: FindTakenPaths,
): Promise<void> {
  const files = plannedFiles.filter(({ isZipArchive }) => !isZipArchive)
  const takenPaths = await findTakenPaths(withoutDuplicates(files.map(({ target }) => target)))
  const claimedPaths = new Set<string>()
  const conflictingFiles: PlannedFile[] = []
  for (const file of files) {
    if (claimedPaths.has(file.target)) file.conflict = 'twin'
    else if (takenPaths.has(file.target)) file.conflict = 'taken'
    claimedPaths.add(file.target)
    if (file.conflict) conflictingFiles.push(file)
  }
  await findFreeNames(conflictingFiles, claimedPaths, findTakenPaths)
}

/**
 * Sets a free path for each file: `a-2.png` for `a.png`, or the next free number. The paths are added to
 * `claimedPaths`.
 */
async function findFreeNames(
  files: readonly PlannedFile[],
  claimedPaths: Set<string>,
  findTakenPaths: FindTakenPaths,
): Promise<void> {
  let unnamedFiles = files
  for (let firstNumber = 2; unnamedFiles.length > 0; firstNumber += NAMES_PER_CHECK) {
    const takenPaths = await findTakenPaths(
      withoutDuplicates(unnamedFiles.flatMap(({ target }) => numberedPaths(target, firstNumber))),
    )
    unnamedFiles = unnamedFiles.filter(file => {
      const freePath = numberedPaths(file.target, firstNumber).find(
        path => !takenPaths.has(path) && !claimedPaths.has(path),
      )
      if (freePath === undefined) return true
      claimedPaths.add(freePath)
      file.freePath = freePath
      return false
    })
  }
}

function numberedPaths(path: string, firstNumber: number): string[] {
  const { folder, stem, extension } = splitPath(path)
  return Array.from({ length: NAMES_PER_CHECK }, (_, index) =>
    pathBelow(folder, `${stem}-${firstNumber + index}${extension}`),
  )
}

/** Whether lower-casing, and nothing else, changes the path of the file. False for an archive. */
export const isLowerCased = ({ candidate, target, fault, isZipArchive }: PlannedFile) =>
  !isZipArchive && fault === null && !target.endsWith(candidate.path)

export interface UploadDecisions {
  conflicts: ConflictChoice
  /** Whether cleaned names are accepted; otherwise files with invalid names are left out. */
  acceptsCleanNames: boolean
}

/** The files that are sent, according to these decisions. */
export function filesToSend(
  { plannedFiles }: UploadPlan,
  { conflicts, acceptsCleanNames }: UploadDecisions,
): PlannedFile[] {
  return plannedFiles.filter(
    ({ fault, conflict }) =>
      (fault === null || acceptsCleanNames) && (conflict === null || conflicts !== 'skip'),
  )
}

/** The files that are not sent, according to these decisions, each with the reason. */
export function listOmittedFiles(
  plan: UploadPlan,
  { conflicts, acceptsCleanNames }: UploadDecisions,
  maxBytes: number,
): OmittedFile[] {
  const createOmittedFile = ({ file, path }: UploadCandidate, reason: OmissionReason): OmittedFile => ({
    file,
    name: path,
    reason,
  })
  return [
    ...plan.rejectedFiles.map(({ candidate, reason, fault }) => {
      if (fault) return createOmittedFile(candidate, { cause: 'path', fault })
      const maxSize = isArchive(candidate.path) ? ZIP_MAX_UPLOAD_BYTES : maxBytes
      return createOmittedFile(
        candidate,
        reason === 'empty' ? { cause: 'empty' } : { cause: 'large', maxBytes: maxSize },
      )
    }),
    ...plan.plannedFiles.flatMap(({ candidate, fault, conflict }) => {
      if (fault !== null && !acceptsCleanNames) return createOmittedFile(candidate, { cause: 'path', fault })
      return conflict !== null && conflicts === 'skip'
        ? createOmittedFile(candidate, { cause: 'skipped' })
        : []
    }),
  ]
}

/**
 * Whether a file to send is stored at `freePath`. Two files of one upload with the same target must not
 * replace each other, so the second one is renamed even if the user has chosen to overwrite.
 */
const isRenamed = ({ conflict }: PlannedFile, choice: ConflictChoice) =>
  conflict === 'twin' || (conflict === 'taken' && choice === 'rename')

export const makeJobs = (plan: UploadPlan, decisions: UploadDecisions, actionId: string): UploadJob[] =>
  filesToSend(plan, decisions).map(plannedFile => ({
    action: actionId,
    file: plannedFile.candidate.file,
    name: plannedFile.candidate.path,
    target: isRenamed(plannedFile, decisions.conflicts) ? plannedFile.freePath : plannedFile.target,
    overwrite: plannedFile.conflict === 'taken' && decisions.conflicts === 'overwrite',
    isZipArchive: plannedFile.isZipArchive,
  }))

export const isArchive = (path: string) => /\.zip$/i.test(path)

const withoutDuplicates = (paths: readonly string[]) => [...new Set(paths)]
