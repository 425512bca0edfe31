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
  const waitingQueries = new Map<number, WaitingQuery>()
  let worker: Worker | undefined
  let lastQueryNr = 0

  function startThread(): Worker {
    // The file name is an argument, so that the thread opens the file before the first query arrives.
    const thread = new Worker(entryPoint('readerThread').href, {
      argv: [file],
      // Collects garbage more often. Otherwise the rows that were sent could take up to 32 MB.
      smol: true,
    })
    thread.onmessage = ({ data }: MessageEvent<ReaderAnswer>) => settleQuery(data)
    thread.onerror = event => onThreadLost(thread, event.message)
    thread.addEventListener('close', () => onThreadLost(thread, 'it ended'))
    // The thread must not keep a finished process alive.
    thread.unref()
    return thread
  }

  function settleQuery(answer: ReaderAnswer): void {
    const waitingQuery = waitingQueries.get(answer.nr)
    waitingQueries.delete(answer.nr)
    if ('error' in answer) waitingQuery?.reject(Object.assign(new Error(answer.error), { code: answer.code }))
    else waitingQuery?.resolve(answer.rows)
    if (waitingQueries.size === 0) worker?.unref()
  }

  /**
   * Called when a thread has failed or ended. Rejects all waiting queries; the next query starts a new
   * thread.
   */
  function onThreadLost(lostThread: Worker, reason: string): void {
    if (lostThread !== worker) return
    worker = undefined
    for (const waitingQuery of waitingQueries.values())
      waitingQuery.reject(new Error(`the thread for queries was lost: ${reason}`))
    waitingQueries.clear()
  }

  function sendQuery(query: ReaderRequest['query']): Promise<unknown[]> {
    worker ??= startThread()
    const nr = ++lastQueryNr
    const answerPromise = new Promise<unknown[]>((resolve, reject) =>
      waitingQueries.set(nr, { resolve, reject }),
    )
    worker.ref()
    worker.postMessage({ nr, query } satisfies ReaderRequest)
    return answerPromise
  }

  /** Ends the thread after the last query; the next query starts a new one. */
  async function close(): Promise<void> {
    const thread = worker
    if (!thread) return
    const answerPromise = sendQuery(null)
    worker = undefined
    await answerPromise
    thread.terminate()
  }

  const queries: Queries = kyselyOnExecutor({
    executeQuery: async <R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> => ({
      rows: (await sendQuery({ sql, parameters })) as R[],
    }),
  })
  return { queries, close, [Symbol.asyncDispose]: close }
}
