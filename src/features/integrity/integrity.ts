/** The integrity check for the dashboard: state, findings, and a full check on demand. */
import {
  FINDING_SENTENCES,
  findingCode,
  type IntegritySummary,
  MAX_FINDINGS_SHOWN,
} from '../../contract/service/maintenance.ts'
import type { Database } from '../../database/database.ts'
import type { Events } from '../events/events.ts'
import type { FeatureParts } from '../feature.ts'
import { listFindings } from './findings.store.ts'
import { totalFileAmount } from './owners.ts'
import { readScrubState } from './scrub.store.ts'
import type { Scrub } from './scrub.ts'

export interface IntegrityParts extends Pick<FeatureParts, 'database' | 'coordination' | 'log'> {
  scrub: Scrub
  publish: Events['publish']
}

export type Integrity = ReturnType<typeof createIntegrity>

export function createIntegrity(parts: IntegrityParts) {
  const { database, coordination, log } = parts
  const stopController = new AbortController()
  let runningChecks: Promise<unknown> = Promise.resolve()
  /** Summarizes the checks for the overview and for `state`, with at most `limit` findings. */
  const readSummary = (limit: number) => summaryOf(database, limit)

  return {
    summary: readSummary,

    async state() {
      const { round_began_at, round_files, round_bytes } = await readScrubState(database.read)
      const { files, bytes } = await totalFileAmount(database.read)
      return {
        laeuft: await coordination.isHeld('scrub'),
        runde: {
          seit: round_began_at,
          gelesen: { dateien: round_files, bytes: round_bytes },
          gesamt: { dateien: files, bytes },
        },
        ...(await readSummary(MAX_FINDINGS_SHOWN)),
      }
    },

    /**
     * Starts a full check, unless a check or a run of the scrub (`scrub.ts`) is in progress, or `stop` was
     * called. Resolves when it is known whether the check has started, not at its end.
     */
    async checkAll() {
      if (stopController.signal.aborted) return
      const startDecision = Promise.withResolvers<void>()
      const run = coordination
        .exclusively('scrub', leaseSignal => {
          startDecision.resolve()
          return readAll(parts, AbortSignal.any([leaseSignal, stopController.signal]))
        })
        .catch(error => log.error('the integrity check failed', { cause: error }))
        .finally(startDecision.resolve)
      runningChecks = Promise.all([runningChecks, run])
      await startDecision.promise
    },

    /** Aborts a check of this process, and waits for its end. */
    async stop() {
      stopController.abort()
      await runningChecks
    },
  }
}

async function summaryOf({ read: db }: Database, limit: number): Promise<IntegritySummary> {
  const { completed_at } = await readScrubState(db)
  const { findings, total } = await listFindings(db, { limit })
  return {
    geprueft_bis: completed_at,
    befunde: findings.map(({ path, place, reason, foundAt }) => ({
      pfad: path,
      grund: FINDING_SENTENCES[reason],
      code: findingCode(reason),
      seit: foundAt,
      papierkorb: place === 'trash',
    })),
    weitere: total - findings.length,
  }
}

/** Reads every file, and publishes the progress. */
async function readAll({ scrub, publish }: IntegrityParts, signal: AbortSignal): Promise<void> {
  let [doneFiles, totalFiles] = [0, 0]
  const publishProgress = (isFinished: boolean) =>
    publish({
      name: 'fortschritt',
      data: { aufgabe: 'integritaet', erledigt: doneFiles, gesamt: totalFiles, fertig: isFinished },
    })
  try {
    await scrub.readEverything(signal, (readAmount, total) => {
      // When the scrub has read all files, it resets its counters to zero; that zero is not published. The
      // total grows if files were added since the check began.
      if (readAmount.files >= doneFiles)
        [doneFiles, totalFiles] = [readAmount.files, Math.max(total.files, readAmount.files)]
      publishProgress(false)
    })
  } finally {
    publishProgress(true)
  }
}
