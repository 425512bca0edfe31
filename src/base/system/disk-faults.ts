/**
 * Disk errors while the log of SQLite (`-wal`) is flushed or checkpointed. Each is logged and counted
 * (`/metrics`), because a checkpoint runs in the background, where no answer to a request could report it.
 */
import type { Log } from '../log.ts'

export const DISK_FAULTS = ['log', 'checkpoint'] as const
export type DiskFault = (typeof DISK_FAULTS)[number]

/** The exit code (EX_IOERR of sysexits(3)) after a disk error from which a running service cannot recover. */
export const DISK_ERROR_EXIT_CODE = 74

export type DiskFaults = ReturnType<typeof createDiskFaults>

const LOG_MESSAGES: Readonly<Record<DiskFault, string>> = {
  log: "the database's log could not be flushed: nothing is stored until it was carried over",
  checkpoint: "the database's log could not be carried over",
}

export function createDiskFaults(log: Log, exit: (code: number) => void = process.exit) {
  const counts = new Map<DiskFault, number>(DISK_FAULTS.map(fault => [fault, 0]))
  return {
    counts,
    report(fault: DiskFault, cause: unknown) {
      counts.set(fault, counts.get(fault)! + 1)
      log.error(LOG_MESSAGES[fault], { cause })
    },
    /**
     * Ends this process without closing the database. If there is a supervisor, it then stops the other
     * workers too.
     */
    giveUp(reason: string, cause: unknown) {
      log.error(`the service gives up: ${reason}`, { cause })
      exit(DISK_ERROR_EXIT_CODE)
    },
  }
}
