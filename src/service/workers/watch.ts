/**
 * Kills workers that hang: a process with a blocked event loop does not answer, but still gets its share of
 * new connections. The time without a heartbeat is counted in ticks of a timer of this process, not by the
 * clock: while the machine sleeps or is overloaded, this process does not tick either.
 */
import type { Log } from '../../base/log.ts'
import type { WorkerProcess } from './worker-process.ts'

const TICK_INTERVAL = 1_000

/** `hangTimeout`: milliseconds without a heartbeat after which a worker is killed. */
export function createHeartbeatWatch(
  { hangTimeout, log }: { hangTimeout: number; log: Log },
  startInterval = setInterval,
) {
  /** Number of ticks since each worker's last heartbeat. */
  const silentTicks = new Map<WorkerProcess, number>()

  function tick(): void {
    for (const [worker, ticks] of silentTicks) {
      silentTicks.set(worker, ticks + 1)
      if (ticks * TICK_INTERVAL < hangTimeout) continue
      silentTicks.delete(worker)
      const { number, pid } = worker
      log.error('a worker hangs and is killed', {
        worker: number,
        pid,
        seconds: Math.round(hangTimeout / 1000),
      })
      worker.kill()
    }
  }
  startInterval(tick, TICK_INTERVAL).unref()

  return {
    /** Begins to expect heartbeats of this worker. */
    startWatching: (worker: WorkerProcess) => void silentTicks.set(worker, 0),
    onHeartbeat: (worker: WorkerProcess) => void (silentTicks.has(worker) && silentTicks.set(worker, 0)),
    stopWatching: (worker: WorkerProcess) => void silentTicks.delete(worker),
  }
}
