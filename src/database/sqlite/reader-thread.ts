/**
 * Runs queries on another thread. `bun:sqlite` is synchronous, so a search over a million paths would block
 * every `/f/` request. The thread starts with the first query: a service whose dashboard is never opened has
 * no such thread.
 */

import type { CompiledQuery, QueryResult } from 'kysely'
import { entryPoint } from '../../base/program-files.ts'
import type { Queries } from '../database.ts'
import { kyselyOver } from './dialect.ts'

/** A query for the thread; `query: null` ends the thread. */
export interface ReaderQuestion {
  nr: number
  query: { sql: string; parameters: readonly unknown[] } | null
}
export type ReaderAnswer = { nr: number } & ({ rows: unknown[] } | { error: string; code: string })

export type ReaderThread = ReturnType<typeof openReaderThread>

type WaitingQuery = { resolve(rows: unknown[]): void; reject(error: Error): void }

export function openReaderThread(file: string) {
  const waiting = new Map<number, WaitingQuery>()
  let worker: Worker | undefined
  let asked = 0

  function start(): Worker {
    // The file name is an argument, so that the thread opens the file before the first query arrives.
    const started = new Worker(entryPoint('readerThread').href, {
      argv: [file],
    })
    started.onmessage = ({ data }: MessageEvent<ReaderAnswer>) => settle(data)
    started.onerror = event => lose(started, event.message)
    started.addEventListener('close', () => lose(started, 'it ended'))
    // The thread must not keep a finished process alive.
    started.unref()
    return started
  }

  function settle(answer: ReaderAnswer): void {
    const one = waiting.get(answer.nr)
    waiting.delete(answer.nr)
    if ('error' in answer) one?.reject(Object.assign(new Error(answer.error), { code: answer.code }))
    else one?.resolve(answer.rows)
    if (waiting.size === 0) worker?.unref()
  }

  /** Rejects all waiting queries; the next one starts a new thread. */
  function lose(lost: Worker, why: string): void {
    if (lost !== worker) return
    worker = undefined
    for (const one of waiting.values()) one.reject(new Error(`the thread for queries was lost: ${why}`))
    waiting.clear()
  }

  function ask(query: ReaderQuestion['query']): Promise<unknown[]> {
    worker ??= start()
    const nr = ++asked
    const answered = new Promise<unknown[]>((resolve, reject) => waiting.set(nr, { resolve, reject }))
    worker.ref()
    worker.postMessage({ nr, query } satisfies ReaderQuestion)
    return answered
  }

  /** Ends the thread after the last query; the next query starts a new one. */
  async function close(): Promise<void> {
    const ended = worker
    if (!ended) return
    const answered = ask(null)
    worker = undefined
    await answered
    ended.terminate()
  }

  const queries: Queries = kyselyOver({
    executeQuery: async <R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> => ({
      rows: (await ask({ sql, parameters })) as R[],
    }),
  })
  return { queries, close, [Symbol.asyncDispose]: close }
}
