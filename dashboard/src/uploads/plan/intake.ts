/** Turns files into upload jobs. If something must be decided, the user is asked once for all files. */
import type { Candidate } from './candidates.ts'
import {
  type Decisions,
  type FindTaken,
  isLowered,
  type Job,
  makeJobs,
  makePlan,
  type OmittedFile,
  omittedFiles,
  type Plan,
} from './plan.ts'

/** What is shown while files are prepared: progress, the question, or an error. */
export type PendingIntake =
  /** Folders are being read and names compared. */
  | { kind: 'preparing' }
  | {
      kind: 'question'
      plan: Plan
      folder: string
      maxBytes: number
      answer(decisions: Decisions | null): void
    }
  | { kind: 'failed'; error: Error; again(): void; giveUp(): void }

export interface IntakeParts {
  taken: FindTaken
  /** Returns the maximum bytes of a file according to the current settings. */
  maxBytes(): Promise<number>
  onPending(pending: PendingIntake | null): void
  /** Called with the files to upload; `omitted` are the other files of the same choice. */
  onJobs(jobs: readonly Job[], omitted: readonly OmittedFile[]): void
  newId(): string
}

const NOTHING_TO_DECIDE: Decisions = { conflicts: 'skip', clean: true }

export function createIntake({ taken, maxBytes, onPending, onJobs, newId }: IntakeParts) {
  /**
   * Settles when the last call is complete. Calls are handled one after the other, so that only one question
   * is open at a time.
   */
  let last = Promise.resolve()

  const ask = (plan: Plan, folder: string, most: number) =>
    new Promise<Decisions | null>(answer =>
      onPending({ kind: 'question', plan, folder, maxBytes: most, answer }),
    )
  const askToRetry = (error: Error) =>
    new Promise<boolean>(resolve =>
      onPending({ kind: 'failed', error, again: () => resolve(true), giveUp: () => resolve(false) }),
    )

  async function decide(given: GivenCandidates, folder: string): Promise<void> {
    const candidates = await given
    if (candidates.length === 0) return
    const most = await maxBytes()
    const plan = await makePlan(candidates, { folder, maxBytes: most }, taken)
    const decisions = needsDecision(plan) ? await ask(plan, folder, most) : NOTHING_TO_DECIDE
    const jobs = decisions ? makeJobs(plan, decisions, newId()) : []
    if (decisions && jobs.length > 0) onJobs(jobs, omittedFiles(plan, decisions, most))
  }

  async function handle(given: GivenCandidates, folder: string): Promise<void> {
    for (;;) {
      onPending({ kind: 'preparing' })
      try {
        await decide(given, folder)
        return onPending(null)
      } catch (error) {
        if (!(await askToRetry(error as Error))) return onPending(null)
      }
    }
  }

  return (given: GivenCandidates, folder: string): void => {
    last = last.then(() => handle(given, folder))
  }
}

type GivenCandidates = readonly Candidate[] | Promise<readonly Candidate[]>

/** Whether the user must be asked. Lower-casing alone needs no question, except for an exact path. */
const needsDecision = ({ planned, leftOut }: Plan) =>
  leftOut.length > 0 ||
  planned.some(
    each => each.fault !== null || each.conflict !== null || (each.candidate.exact && isLowered(each)),
  )
