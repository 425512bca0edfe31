/**
 * The thread of `sqlite/reader-thread.ts`: one connection that runs queries and checkpoints one after the
 * other, and changes no rows.
 */
import { Database as Connection } from 'bun:sqlite'
import type { CompiledQuery } from 'kysely'
import { errorCode } from '../../base/system/error-code.ts'
import { executorOnConnection } from './dialect.ts'
import type { ReaderAnswer, ReaderRequest } from './reader-thread.ts'

declare const self: Worker

/** Size of SQLite's page cache: enough for the inner pages of the indexes, which every search reads. */
const CACHE_KILOBYTES = 16_384

const connection = new Connection(process.argv.at(-1)!, { strict: true })
connection.run('pragma query_only = on')
connection.run('pragma busy_timeout = 10000')
connection.run('pragma temp_store = memory')
connection.run(`pragma cache_size = -${CACHE_KILOBYTES}`)
const { executeQuery, end } = executorOnConnection(connection)

self.onmessage = async ({ data: { nr, query } }: MessageEvent<ReaderRequest>) => {
  self.postMessage(await answerRequest(nr, query))
}

async function answerRequest(nr: number, query: ReaderRequest['query']): Promise<ReaderAnswer> {
  try {
    if (query) return { nr, rows: (await executeQuery(query as unknown as CompiledQuery)).rows }
    end?.()
    connection.close()
    return { nr, rows: [] }
  } catch (error) {
    return { nr, error: String(error), code: errorCode(error) }
  }
}
