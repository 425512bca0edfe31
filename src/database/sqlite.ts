/** The embedded database: one file in the data folder, nothing to install. */
import { Database as Connection, SQLiteError } from 'bun:sqlite'
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Kysely } from 'kysely'
import type { Database, Queries, ServedFile } from './database.ts'
import { type EngineTraits, migrate } from './migrate.ts'
import { kyselyOn } from './sqlite-dialect.ts'

const TRAITS: EngineTraits = {
  serial: 'integer',
  asSerial: column => column.primaryKey().autoIncrement(),
  bigint: 'integer',
  bytewiseText: 'text',
}

/** How long a write waits for another process, such as the command line, to finish writing; and how often it asks. */
const BUSY_TIMEOUT = 10_000
const BUSY_PAUSE = 5

/** Transactions that share one flush to disk at the most, so that none waits for an endless queue. */
const GROUP_LIMIT = 64

const SERVED_FILE = `select nr, id, object, size, sha256, mime, derived, variant_size, preview_size
  from media where path = ?`

export async function openSqlite({ file }: { file: string }): Promise<Database> {
  mkdirSync(dirname(file), { recursive: true })
  const writer = connect(file)
  // From here on `begin` does the waiting.
  writer.run('pragma busy_timeout = 0')
  const write = kyselyOn(writer)
  const transaction = groupedTransactions(writer, write)
  await transaction(tx => migrate(tx as unknown as Kysely<unknown>, TRAITS))

  const reader = connect(file)
  reader.run('pragma query_only = on')
  const lookUp = reader.prepare<ServedFile, [string]>(SERVED_FILE)

  return {
    read: kyselyOn(reader),
    transaction,
    servedFile: path => lookUp.get(path),
    async close() {
      // The queue is first come, first served: when this one is through, so is everything before it.
      await transaction(async () => {})
      lookUp.finalize()
      reader.close()
      writer.close()
    },
  }
}

function connect(file: string): Connection {
  const connection = new Connection(file, { create: true, strict: true })
  connection.run(`pragma busy_timeout = ${BUSY_TIMEOUT}`)
  connection.run('pragma journal_mode = wal')
  connection.run('pragma synchronous = full')
  connection.run('pragma foreign_keys = on')
  connection.run('pragma temp_store = memory')
  return connection
}

interface Waiting {
  run(): Promise<void>
  settle(failed?: { error: unknown }): void
}

/**
 * Transactions that wait at the same time are run one after the other, each in a savepoint of its own, and flushed
 * to disk together: a flush costs a hundred times what the statements cost. None is answered before the flush.
 */
function groupedTransactions(connection: Connection, tx: Queries): Database['transaction'] {
  const waiting: Waiting[] = []
  let draining = false

  async function drain(): Promise<void> {
    draining = true
    while (waiting.length > 0) await runGroup(connection, waiting)
    draining = false
  }

  return work =>
    new Promise((resolve, reject) => {
      let outcome: { value: Awaited<ReturnType<typeof work>> } | { error: unknown }
      waiting.push({
        async run() {
          connection.run('savepoint one')
          try {
            outcome = { value: await work(tx) }
            connection.run('release one')
          } catch (error) {
            outcome = { error }
            connection.run('rollback to one')
            connection.run('release one')
          }
        },
        settle(failed) {
          const end = failed ?? outcome
          if ('error' in end) reject(end.error)
          else resolve(end.value)
        },
      })
      if (!draining) void drain()
    })
}

/**
 * Takes the write lock at once: what a transaction reads cannot change before it writes. Waits for it without SQLite's
 * own busy handler, which would stop the whole process, reads included.
 */
async function begin(connection: Connection): Promise<void> {
  for (let waited = 0; ; waited += BUSY_PAUSE) {
    try {
      connection.run('begin immediate')
      return
    } catch (error) {
      if (!(error instanceof SQLiteError) || error.code !== 'SQLITE_BUSY' || waited >= BUSY_TIMEOUT)
        throw error
      await Bun.sleep(BUSY_PAUSE)
    }
  }
}

async function runGroup(connection: Connection, waiting: Waiting[]): Promise<void> {
  const group: Waiting[] = []
  let failed: { error: unknown } | undefined
  try {
    await begin(connection)
    while (waiting.length > 0 && group.length < GROUP_LIMIT) {
      const one = waiting.shift()!
      group.push(one)
      await one.run()
    }
    connection.run('commit')
  } catch (error) {
    failed = { error }
    // A full disk may already have rolled back; a lock that was not had leaves nothing to roll back.
    if (connection.inTransaction) connection.run('rollback')
    if (group.length === 0) group.push(waiting.shift()!)
  }
  for (const one of group) one.settle(failed)
}
