/**
 * Queries on a thread of their own. `bun:sqlite` answers synchronously, so a search over a million paths would hold up
 * every `/f/` request meanwhile. The thread starts with the first query: whoever never opens the dashboard has none.
 */
import type { CompiledQuery, QueryResult } from 'kysely'
import type { Queries } from './database.ts'
import { kyselyOver } from './sqlite-dialect.ts'

/** What the two sides say to each other. `query: null` ends it. */
export interface ReaderQuestion {
  nr: number
  query: { sql: string; parameters: readonly unknown[] } | null
}
export type ReaderAnswer = { nr: number } & ({ rows: unknown[] } | { error: string })

export interface ReaderThread {
  queries: Queries
  /** After the last query has been answered. */
  close(): Promise<void>
}

type Waiting = { resolve(rows: unknown[]): void; reject(error: Error): void }

export function openReaderThread(file: string): ReaderThread {
  const waiting = new Map<number, Waiting>()
  let worker: Worker | undefined
  let asked = 0

  function start(): Worker {
    // The file's name travels as an argument, so that the thread is ready before the first question.
    const started = new Worker(new URL('./sqlite-reader-thread.worker.ts', import.meta.url).href, {
      argv: [file],
    })
    started.onmessage = ({ data }: MessageEvent<ReaderAnswer>) => settle(data)
    started.onerror = event => lose(started, event.message)
    started.addEventListener('close', () => lose(started, 'it ended'))
    // It must not keep a process alive that has come to its end.
    started.unref()
    return started
  }

  function settle(answer: ReaderAnswer): void {
    const one = waiting.get(answer.nr)
    waiting.delete(answer.nr)
    if ('error' in answer) one?.reject(new Error(answer.error))
    else one?.resolve(answer.rows)
    if (waiting.size === 0) worker?.unref()
  }

  /** Whoever waits is told; the next query gets a new thread. */
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

  return {
    queries: kyselyOver({
      executeQuery: async <R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> => ({
        rows: (await ask({ sql, parameters })) as R[],
      }),
    }),
    async close() {
      if (!worker) return
      await ask(null)
      const ended = worker
      worker = undefined
      ended.terminate()
    },
  }
}
