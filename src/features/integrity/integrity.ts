/** The integrity check as the dashboard uses it: the state, the findings, and a whole check on demand. */
import {
  FINDING_SENTENCES,
  FINDINGS_SHOWN,
  type IntegrityAnswer,
  type IntegritySummary,
} from '../../contract/maintenance.ts'
import type { Coordination } from '../../coordination/coordination.ts'
import type { Database } from '../../database/database.ts'
import type { Log } from '../../log.ts'
import type { Events } from '../events/events.ts'
import { listFindings } from './findings.store.ts'
import { type Amount, ownedAmount } from './owners.ts'
import { scrubState } from './scrub.store.ts'
import type { Scrub } from './scrub.ts'

export interface IntegrityParts {
  database: Database
  scrub: Scrub
  coordination: Coordination
  publish: Events['publish']
  log: Log
}

export interface Integrity {
  state(): Promise<IntegrityAnswer>
  /** A summary for the overview, with `limit` findings at the most. */
  summary(limit: number): Promise<IntegritySummary>
  /**
   * Begins a whole check, unless a check of any kind is under way. Resolves when this is decided, not when the check
   * ends.
   */
  checkAll(): Promise<void>
  /** Ends a check that this process began, and waits for its end. */
  stop(): Promise<void>
}

const onWire = ({ files, bytes }: Amount) => ({ dateien: files, bytes })

export function createIntegrity(parts: IntegrityParts): Integrity {
  const { database, scrub, coordination, publish, log } = parts
  const stopping = new AbortController()
  let running: Promise<unknown> = Promise.resolve()

  async function summary(limit: number): Promise<IntegritySummary> {
    const { completed_at } = await scrubState(database.read)
    const { findings, total } = await listFindings(database.read, { limit })
    return {
      geprueft_bis: completed_at,
      befunde: findings.map(({ path, place, reason, foundAt }) => ({
        pfad: path,
        grund: FINDING_SENTENCES[reason],
        seit: foundAt,
        papierkorb: place === 'trash',
      })),
      weitere: total - findings.length,
    }
  }

  function progress(read: Amount, total: Amount, fertig = false): void {
    // Files may have been added since the check began.
    const gesamt = Math.max(total.files, read.files)
    publish({
      name: 'fortschritt',
      data: { aufgabe: 'integritaet', erledigt: read.files, gesamt, fertig },
    })
  }

  async function readAll(lost: AbortSignal): Promise<void> {
    let last: [read: Amount, total: Amount] = [
      { files: 0, bytes: 0 },
      { files: 0, bytes: 0 },
    ]
    try {
      await scrub.whole(AbortSignal.any([lost, stopping.signal]), (read, total) => {
        // At the end of a round its figures are set back to zero; such figures are not published.
        if (read.files >= last[0].files) last = [read, total]
        progress(...last)
      })
    } finally {
      progress(...last, true)
    }
  }

  return {
    summary,

    async state() {
      const { round_began_at, round_files, round_bytes } = await scrubState(database.read)
      return {
        laeuft: await coordination.isHeld('scrub'),
        runde: {
          seit: round_began_at,
          gelesen: { dateien: round_files, bytes: round_bytes },
          gesamt: onWire(await ownedAmount(database.read)),
        },
        ...(await summary(FINDINGS_SHOWN)),
      }
    },

    async checkAll() {
      if (stopping.signal.aborted) return
      const begun = Promise.withResolvers<void>()
      const run = coordination
        .exclusively('scrub', lost => {
          begun.resolve()
          return readAll(lost)
        })
        .catch(error => log.error('the integrity check failed', { cause: error }))
        .finally(begun.resolve)
      running = Promise.all([running, run])
      await begun.promise
    },

    async stop() {
      stopping.abort()
      await running
    },
  }
}
