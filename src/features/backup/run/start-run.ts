/**
 * Starts runs, or joins the one in progress, and waits for their reports. A joined run may belong to another
 * process, so its progress and its report are read from the database.
 */
import type { BackupReport } from '../../../contract/service/backup.ts'
import { backupTrouble } from '../../../errors/errors.ts'
import * as store from './backup.store.ts'
import { reportDeadRun } from './end-run.ts'
import { beginRun, type LeasedRunParts } from './leased-run.ts'
import { isDeadRunReport } from './run-report.ts'

/** Milliseconds between two checks of the progress of a run. */
const POLL_INTERVAL = 200

export interface StartOptions {
  /** Whether to save only the database rows, without the contents of the files. */
  onlyRows?: boolean
  onProgress?: (doneBytes: number, totalBytes: number | null) => void
}

export function createRunStarter(parts: LeasedRunParts) {
  const { database } = parts
  const stopController = new AbortController()
  let whenOwnRunsEnded: Promise<unknown> = Promise.resolve()

  async function start(options: StartOptions = {}): Promise<{ report: Promise<BackupReport> }> {
    const { onlyRows = false, onProgress } = options
    for (;;) {
      const { whenBegun, whenEnded } = beginRun(parts, { signal: stopController.signal, onlyRows })
      // `stop` waits for all runs that this process has begun, so this run is added to the earlier ones.
      whenOwnRunsEnded = Promise.all([whenOwnRunsEnded, whenEnded])
      const ownRunNr = await whenBegun
      const runNr = ownRunNr ?? (await store.findOpenRun(database.read))?.nr
      if (runNr !== undefined) {
        const report = waitForReport(parts, runNr, onProgress).then(async foundReport => {
          // If the run belongs to this process, waits until it has also queued its messages and released its
          // lease.
          await whenEnded
          // If the process of the joined run has died, a new run is started. This call could join the dead
          // run because its lease had not expired yet.
          if (ownRunNr !== null || !isDeadRunReport(foundReport) || stopController.signal.aborted)
            return foundReport
          return (await start(options)).report
        })
        // Prevents an unhandled rejection: the caller may ignore the report.
        report.catch(() => {})
        return { report }
      }
      // The lease is held but no open run was found: another run is about to begin and has no row yet, or has
      // just ended and has not released the lease yet.
      await Bun.sleep(POLL_INTERVAL)
    }
  }

  return {
    /**
     * Begins a run, or joins the current one, whichever process it belongs to. Resolves when the run has
     * begun; `report` resolves when it has ended. If the process of a joined run dies, a new run begins
     * (unless `stop` was called), and `report` is the report of the new run.
     */
    start,
    /**
     * Aborts the run of this process, if there is one, and records in its report that it was stopped.
     * Resolves when the report is written.
     */
    async stop() {
      stopController.abort(backupTrouble.stopped())
      await whenOwnRunsEnded
    },
  }
}

async function waitForReport(
  parts: LeasedRunParts,
  runNr: number,
  onProgress: StartOptions['onProgress'],
): Promise<BackupReport> {
  for (;;) {
    const run = await store.findRun(parts.database.read, runNr)
    if (run?.report) return store.parseReport(run.report)
    if (run) onProgress?.(run.done, run.total)
    await reportDeadRun(parts)
    await Bun.sleep(POLL_INTERVAL)
  }
}
