/**
 * Keeps a number of workers running: starts them, restarts them when they die, replaces them one by one, and
 * stops them.
 */

import type { Log } from '../../base/log.ts'
import { DISK_ERROR_EXIT_CODE } from '../../base/system/disk-faults.ts'
import { withTimeout } from '../../base/time-limit.ts'
import type { WorkerProcess } from './worker-process.ts'

/**
 * Milliseconds before a dead worker is restarted. The delay doubles each time, up to `MAX_RESTART_DELAY`, and
 * is reset to `FIRST_RESTART_DELAY` after a worker that lived longer than `HEALTHY_LIFETIME`.
 */
const FIRST_RESTART_DELAY = 100
const MAX_RESTART_DELAY = 30_000
const HEALTHY_LIFETIME = 60_000

interface WorkerSlot {
  number: number
  worker: WorkerProcess
}

export function createWorkerPool(parts: {
  count: number
  /** `port`: the port of the first worker; null before it is known. */
  launch(number: number, port: number | null): WorkerProcess
  onExit(worker: WorkerProcess): void
  /**
   * Called when a worker has given up and logged the reason: no other worker may continue on the same data
   * folder.
   */
  onGivenUp(): void
  log: Log
}) {
  const { log } = parts
  const livingWorkers = new Set<WorkerProcess>()
  const slots: WorkerSlot[] = []
  const stopSignal = Promise.withResolvers<void>()
  let isStopping = false
  let port: number | null = null

  function launch(number: number): WorkerProcess {
    const worker = parts.launch(number, port)
    livingWorkers.add(worker)
    void worker.exited.then(() => {
      livingWorkers.delete(worker)
      parts.onExit(worker)
    })
    return worker
  }

  /**
   * Starts the first worker with this number; resolves with false if it did not start, or if the pool is
   * stopping.
   */
  async function startSlot(number: number): Promise<boolean> {
    const worker = launch(number)
    slots.push({ number, worker })
    const answeredPort = await worker.ready
    port ??= answeredPort
    return answeredPort !== null && !isStopping
  }

  /**
   * Restarts the worker with the number of this slot whenever it dies, until the pool stops or the worker
   * gives up.
   */
  async function keepRunning(slot: WorkerSlot): Promise<void> {
    let pause = FIRST_RESTART_DELAY
    while (!isStopping) {
      const { worker } = slot
      const startedAt = performance.now()
      const exitReason = await worker.exited
      // If `replaceAll` has replaced this worker, its successor is running already.
      if (isStopping || slot.worker !== worker) continue
      if (exitReason === DISK_ERROR_EXIT_CODE) return parts.onGivenUp()
      if (performance.now() - startedAt > HEALTHY_LIFETIME) pause = FIRST_RESTART_DELAY
      const { pid } = worker
      log.error('a worker died and is started again', { worker: slot.number, pid, end: exitReason, pause })
      await withTimeout(pause, stopSignal.promise)
      pause = Math.min(pause * 2, MAX_RESTART_DELAY)
      if (!isStopping && slot.worker === worker) slot.worker = launch(slot.number)
    }
  }

  /**
   * Asks all workers to stop; each first lets its running requests finish for a limited time. Resolves when
   * all workers have exited.
   */
  async function stop(): Promise<void> {
    isStopping = true
    stopSignal.resolve()
    for (const worker of livingWorkers) worker.send({ kind: 'stop', drain: false })
    await Promise.all([...livingWorkers].map(worker => worker.exited))
  }

  /**
   * Starts all workers. Resolves with null if all of them answer, or were stopped meanwhile. Otherwise
   * resolves with the exit code or signal of the worker that failed to start; the other workers are stopped.
   */
  async function start(): Promise<number | string | null> {
    const numbers = Array.from({ length: parts.count }, (_, index) => index + 1)
    // The first worker starts alone, because it migrates the database and creates the first account if that
    // is necessary, and determines the port.
    const [firstNumber, ...otherNumbers] = numbers
    const haveAllStarted =
      (await startSlot(firstNumber!)) && (await Promise.all(otherNumbers.map(startSlot))).every(Boolean)
    if (isStopping) return null
    if (!haveAllStarted) {
      const exitReason = await Promise.race(slots.map(({ worker }) => worker.exited))
      await stop()
      return exitReason
    }
    for (const slot of slots) void keepRunning(slot)
    slots[0]!.worker.send({ kind: 'announce' })
    return null
  }

  return {
    start,
    stop,
    /**
     * Replaces the workers one by one: once a new worker answers, the old one is stopped. If a new worker
     * does not start, the remaining old ones stay.
     */
    async replaceAll() {
      for (const slot of slots) {
        if (isStopping) return
        const successor = launch(slot.number)
        if ((await successor.ready) === null) {
          if (!isStopping)
            log.error('a new worker did not start; the present ones stay', { worker: slot.number })
          return
        }
        const { worker } = slot
        slot.worker = successor
        worker.send({ kind: 'stop', drain: true })
        await worker.exited
      }
      log.info('every worker was replaced')
    },
    /** Kills every worker immediately, with SIGKILL. */
    kill() {
      for (const worker of livingWorkers) worker.kill()
    },
  }
}
