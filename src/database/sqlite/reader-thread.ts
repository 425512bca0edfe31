/**
 * Runs queries on another thread. `bun:sqlite` is synchronous, so a search over a million paths would block
 * all other requests. The thread starts with the first query.
 */

import type { CompiledQuery, QueryResult } from 'kysely'
import { entryPoint } from '../../base/program-files.ts'
import type { Queries } from '../database.ts'
import { kyselyOnExecutor } from './dialect.ts'

/**
 * A query for the thread. With `query: null` the thread closes its connection instead, and can then be
 * terminated.
 */
export interface ReaderRequest {
  nr: number
  query: { sql: string; parameters: readonly unknown[] } | null
}
export type ReaderAnswer = { nr: number } & ({ rows: unknown[] } | { error: string; code: string })

export type ReaderThread = ReturnType<typeof openReaderThread>

type WaitingQuery = { resolve(rows: unknown[]): void; reject(error: Error): void }

export function openReaderThread(file: string) {
  let thread: ReturnType<typeof startThread> | undefined

  function currentThread() {
    thread ??= startThread(file, lostThread => {
      if (thread === lostThread) thread = undefined
    })
    return thread
  }

  /** Ends the thread after the last query; the next query starts a new one. */
  async function close(): Promise<void> {
    const closedThread = thread
    thread = undefined
    await closedThread?.close()
  }

  const queries: Queries = kyselyOnExecutor({
    executeQuery: async <R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> => ({
      rows: (await currentThread().send({ sql, parameters })) as R[],
    }),
  })
  return { queries, close, [Symbol.asyncDispose]: close }
}

/** `onLost` is called when the thread has failed or ended. */
function startThread(file: string, onLost: (lostThread: object) => void) {
  const waitingQueries = new Map<number, WaitingQuery>()
  let lastQueryNr = 0
  // The file name is an argument, so that the thread opens the file before the first query arrives.
  const worker = new Worker(entryPoint('readerThread').href, {
    argv: [file],
    // Collects garbage more often. Otherwise the rows that were sent could take up to 32 MB.
    smol: true,
  })
  worker.onmessage = ({ data }: MessageEvent<ReaderAnswer>) => settleQuery(data)
  worker.onerror = event => endAsLost(event.message)
  worker.addEventListener('close', () => endAsLost('it ended'))
  // The thread must not keep a finished process alive.
  worker.unref()

  function settleQuery(answer: ReaderAnswer): void {
    const waitingQuery = waitingQueries.get(answer.nr)
    waitingQueries.delete(answer.nr)
    if ('error' in answer) waitingQuery?.reject(Object.assign(new Error(answer.error), { code: answer.code }))
    else waitingQuery?.resolve(answer.rows)
    if (waitingQueries.size === 0) worker.unref()
  }

  /** Called when the thread has failed or ended. Rejects all waiting queries. */
  function endAsLost(reason: string): void {
    onLost(startedThread)
    for (const waitingQuery of waitingQueries.values())
      waitingQuery.reject(new Error(`the thread for queries was lost: ${reason}`))
    waitingQueries.clear()
  }

  function send(query: ReaderRequest['query']): Promise<unknown[]> {
    const nr = ++lastQueryNr
    const answerPromise = new Promise<unknown[]>((resolve, reject) =>
      waitingQueries.set(nr, { resolve, reject }),
    )
    worker.ref()
    worker.postMessage({ nr, query } satisfies ReaderRequest)
    return answerPromise
  }

  /** Ends the thread after the last query. Also resolves if the thread is lost before that. */
  async function close(): Promise<void> {
    await send(null).catch(() => {})
    worker.terminate()
  }

  const startedThread = { send, close }
  return startedThread
}
