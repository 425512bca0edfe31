/** The other side of `sqlite-aside.ts`: one connection that only reads, one query after the other. */
import { Database as Connection } from 'bun:sqlite'
import type { CompiledQuery } from 'kysely'
import type { AsideAnswer, AsideQuestion } from './sqlite-aside.ts'
import { kyselyConnection } from './sqlite-dialect.ts'

declare const self: Worker

/** Room for the inner pages of the indexes, which every search passes. */
const CACHE_KILOBYTES = 16_384

const connection = new Connection(process.argv.at(-1)!, { strict: true })
connection.run('pragma query_only = on')
connection.run('pragma busy_timeout = 10000')
connection.run('pragma temp_store = memory')
connection.run(`pragma cache_size = -${CACHE_KILOBYTES}`)
const { executeQuery, end } = kyselyConnection(connection)

self.onmessage = async ({ data: { nr, query } }: MessageEvent<AsideQuestion>) => {
  self.postMessage(await answer(nr, query))
}

async function answer(nr: number, query: AsideQuestion['query']): Promise<AsideAnswer> {
  try {
    if (query) return { nr, rows: (await executeQuery(query as unknown as CompiledQuery)).rows }
    end?.()
    connection.close()
    return { nr, rows: [] }
  } catch (error) {
    return { nr, error: String(error) }
  }
}
