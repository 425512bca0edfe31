/**
 * The in-memory part of the preview queue: the waiting files, which are taken from the clients round-robin,
 * and the files in progress. A client is a token, or the dashboard. All limits apply to this process.
 */

import type { Log } from '../../base/log.ts'
import type { Requester } from '../../images/images.ts'
import { createFairQueue, type FairQueue } from '../../jobs/fair-queue.ts'
import type { DeriveFile } from './derive.ts'

/**
 * Maximum number of files of one client that wait in memory; the others wait in the database only. For this
 * limit and the next two, the files that a reader waits for are counted separately.
 */
export const MAX_WAITING_PER_CLIENT = 500
/**
 * Maximum number of files of one client in progress, so that one can be decoded while another is being
 * recorded.
 */
const MAX_RUNNING_PER_CLIENT = 2
/** Maximum number of files of all clients in progress. */
const MAX_RUNNING_FILES = 8

export interface QueueInMemoryParts {
  derive: DeriveFile
  /** Tells the decoders that a reader waits for the jobs of this requester; sets its `isAwaited` to true. */
  prioritizeJobs: (requester: Requester) => void
  log: Log
  /**
   * Called when the work on a file has ended. `leasedUntil` is set if another process is working on the file:
   * the time at which the lease of that process expires.
   */
  onEnd(nr: number, leasedUntil: number | undefined): void
  /** Called when no file of this client waits in memory any more, but more may be pending in the database. */
  onRefillNeeded(client: string): void
}

export function createQueueInMemory(parts: QueueInMemoryParts) {
  const awaitedFiles = createFairQueue<number>()
  const unawaitedFiles = createFairQueue<number>()
  /** Clients that may have more pending files in the database than in memory. */
  const clientsToRefill = new Set<string>()
  const runningFiles = createRunningFiles({
    ...parts,
    onEnd(nr, { client, isOverwritten, leasedUntil }) {
      if (isOverwritten) unawaitedFiles.add(client, nr)
      startNext()
      parts.onEnd(nr, leasedUntil)
    },
  })
  let isStopped = false

  function startNext(): void {
    if (isStopped) return
    runningFiles.startFiles(awaitedFiles, true)
    runningFiles.startFiles(unawaitedFiles, false)
    for (const client of clientsToRefill)
      if (unawaitedFiles.countOf(client) === 0 && clientsToRefill.delete(client)) parts.onRefillNeeded(client)
  }

  const has = (nr: number) => runningFiles.has(nr) || unawaitedFiles.has(nr) || awaitedFiles.has(nr)

  /**
   * Adds a file unless it is in the queue already. If too many files of its client wait in memory, the file
   * is left to a later refill from the database.
   */
  function add(nr: number, { client, isAwaited }: Requester): void {
    const targetQueue = isAwaited ? awaitedFiles : unawaitedFiles
    if (has(nr)) return
    if (targetQueue.countOf(client) < MAX_WAITING_PER_CLIENT) targetQueue.add(client, nr)
    else clientsToRefill.add(client)
    startNext()
  }

  return {
    has,
    add,
    /** Called when the database may have more pending files of this client than are in memory. */
    markForRefill: (client: string) => void clientsToRefill.add(client),
    /** Called for a file with new content. If the file is in progress, it is processed again afterwards. */
    addNew(nr: number, client: string): void {
      if (!runningFiles.repeatIfRunning(nr)) add(nr, { client, isAwaited: false })
    },
    /**
     * Called when a reader waits for the file. Returns true if the file is in progress, or was waiting
     * without a reader until now.
     */
    prioritize(nr: number): boolean {
      const isRunning = runningFiles.prioritizeIfRunning(nr)
      const client = unawaitedFiles.remove(nr)
      if (client !== undefined) add(nr, { client, isAwaited: true })
      // The running file now counts towards the limits for awaited files, so processing of another file that
      // is not awaited may start.
      if (isRunning) startNext()
      return isRunning || client !== undefined
    },
    /** Takes no further files from the queue; resolves when the files in progress have been processed. */
    stop() {
      isStopped = true
      return runningFiles.waitForAll()
    },
  }
}

interface ProcessedFile {
  client: string
  /** Whether the file was overwritten meanwhile, and has to be derived again. */
  isOverwritten: boolean
  leasedUntil: number | undefined
}

interface RunningFilesParts extends Pick<QueueInMemoryParts, 'derive' | 'prioritizeJobs' | 'log'> {
  onEnd(nr: number, endedFile: ProcessedFile): void
}

/** The files in progress: their number is limited in total and per client. */
function createRunningFiles({ derive, prioritizeJobs, log, onEnd }: RunningFilesParts) {
  const runningFiles = new Map<number, { completion: Promise<void>; requester: Requester }>()
  const overwrittenFileNumbers = new Set<number>()

  async function processFile(nr: number, requester: Requester): Promise<void> {
    let leasedUntil: number | undefined
    try {
      leasedUntil = await derive(nr, requester)
    } catch (cause) {
      log.error('deriving failed', { cause })
    }
    runningFiles.delete(nr)
    onEnd(nr, { client: requester.client, isOverwritten: overwrittenFileNumbers.delete(nr), leasedUntil })
  }

  function takeNext(queue: FairQueue<number>, isAwaited: boolean) {
    const runningOfSameUrgency = [...runningFiles.values()].filter(
      ({ requester }) => requester.isAwaited === isAwaited,
    )
    if (runningOfSameUrgency.length >= MAX_RUNNING_FILES) return undefined
    return queue.take(
      (_, client) =>
        runningOfSameUrgency.filter(({ requester }) => requester.client === client).length <
        MAX_RUNNING_PER_CLIENT,
    )
  }

  return {
    has: (nr: number) => runningFiles.has(nr),
    /** Starts processing files from the queue until it is empty or a limit is reached. */
    startFiles(queue: FairQueue<number>, isAwaited: boolean): void {
      for (let nextFile = takeNext(queue, isAwaited); nextFile; nextFile = takeNext(queue, isAwaited)) {
        const requester = { client: nextFile.client, isAwaited }
        runningFiles.set(nextFile.item, { completion: processFile(nextFile.item, requester), requester })
      }
    },
    /** Returns whether the file is being processed; if so, it is processed again afterwards. */
    repeatIfRunning: (nr: number): boolean => runningFiles.has(nr) && !!overwrittenFileNumbers.add(nr),
    /** Returns whether the file is being processed; if so, its decoder learns that a reader waits. */
    prioritizeIfRunning(nr: number): boolean {
      const runningFile = runningFiles.get(nr)
      if (runningFile) prioritizeJobs(runningFile.requester)
      return runningFile !== undefined
    },
    async waitForAll(): Promise<void> {
      await Promise.all([...runningFiles.values()].map(({ completion }) => completion))
    },
  }
}
