/**
 * Turns chosen files into upload jobs. If something must be decided, the user is asked once for all files.
 */
import type { ReadCandidates, UploadCandidate } from './candidates.ts'
import {
  type FindTakenPaths,
  isLowerCased,
  listOmittedFiles,
  makeJobs,
  makePlan,
  type OmittedFile,
  type UploadDecisions,
  type UploadJob,
  type UploadPlan,
} from './plan.ts'

/**
 * What the upload ring and the dialogs show while an upload is being prepared: progress, a question to the
 * user, or an error.
 */
export type PendingIntake =
  /** Dropped folders are being read, and the target paths compared with the library. */
  | { kind: 'preparing' }
  | {
      kind: 'question'
      plan: UploadPlan
      folder: string
      maxBytes: number
      answer(decisions: UploadDecisions | null): void
    }
  | { kind: 'failed'; error: Error; retry(): void; giveUp(): void }

export interface IntakeParts {
  findTakenPaths: FindTakenPaths
  /** Returns the maximum size of one file in bytes, according to the current settings. */
  getMaxBytes(): Promise<number>
  onPending(intake: PendingIntake | null): void
  /** Called with the files to upload, if any; `omittedFiles` are the chosen files that are not uploaded. */
  onJobs(jobs: readonly UploadJob[], omittedFiles: readonly OmittedFile[]): void
  newId(): string
}

const DEFAULT_DECISIONS: UploadDecisions = { conflicts: 'skip', acceptsCleanNames: true }

export function createIntake({ findTakenPaths, getMaxBytes, onPending, onJobs, newId }: IntakeParts) {
  /**
   * Settles when the latest upload has been prepared. Uploads are prepared one after the other, so that only
   * one question is open at a time.
   */
  let lastPreparation = Promise.resolve()

  const askForDecisions = (plan: UploadPlan, folder: string, maxFileBytes: number) =>
    new Promise<UploadDecisions | null>(answer =>
      onPending({ kind: 'question', plan, folder, maxBytes: maxFileBytes, answer }),
    )
  const askToRetry = (error: Error) =>
    new Promise<boolean>(resolve =>
      onPending({ kind: 'failed', error, retry: () => resolve(true), giveUp: () => resolve(false) }),
    )

  async function planUpload(candidatesInput: CandidatesInput, folder: string): Promise<void> {
    const candidates = typeof candidatesInput === 'function' ? await candidatesInput() : candidatesInput
    if (candidates.length === 0) return
    const maxFileBytes = await getMaxBytes()
    const plan = await makePlan(candidates, { folder, maxBytes: maxFileBytes }, findTakenPaths)
    const decisions = needsDecision(plan)
      ? await askForDecisions(plan, folder, maxFileBytes)
      : DEFAULT_DECISIONS
    const jobs = decisions ? makeJobs(plan, decisions, newId()) : []
    if (decisions && jobs.length > 0) onJobs(jobs, listOmittedFiles(plan, decisions, maxFileBytes))
  }

  async function prepareUpload(candidatesInput: CandidatesInput, folder: string): Promise<void> {
    for (;;) {
      onPending({ kind: 'preparing' })
      try {
        await planUpload(candidatesInput, folder)
        return onPending(null)
      } catch (error) {
        if (!(await askToRetry(error as Error))) return onPending(null)
      }
    }
  }

  return (candidatesInput: CandidatesInput, folder: string): void => {
    lastPreparation = lastPreparation.then(() => prepareUpload(candidatesInput, folder))
  }
}

type CandidatesInput = readonly UploadCandidate[] | ReadCandidates

/** Whether the user must be asked. Lower-casing alone is no reason to ask, except for an exact path. */
const needsDecision = ({ plannedFiles, rejectedFiles }: UploadPlan) =>
  rejectedFiles.length > 0 ||
  plannedFiles.some(
    file =>
      file.fault !== null || file.conflict !== null || (file.candidate.mustKeepPath && isLowerCased(file)),
  )
