/**
 * Records which processes use the PostgreSQL database. Each process has a row in the table `running` that it
 * renews; a command that replaces the database refuses to start while any row was renewed recently. A crashed
 * process counts as running until its last renewal is `LIVENESS_TIMEOUT` ago. All times are by the database's
 * clock.
 *
 * The lock `REPLACE_LOCK` decides between a process that starts and a command that replaces the database: the
 * command holds the lock exclusively, and a row is written only in a transaction that shares the lock. So the
 * command sees every row, and no new row can appear while the command runs.
 */
import { sql } from 'kysely'
import type { NewId } from '../../base/ids.ts'
import type { Log } from '../../base/log.ts'
import type { Database, Queries } from '../database.ts'
import { DatabaseInUseError } from '../replacement.ts'

/**
 * The number of the advisory lock that a command holds while it replaces the database: `WRITE_LOCK` plus one.
 */
export const REPLACE_LOCK = 0x46756e65

/**
 * Milliseconds without a renewal after which a process counts as dead, and milliseconds between two renewals.
 */
export const LIVENESS_TIMEOUT = 60_000
const RENEW_INTERVAL = 15_000

const SERVER_TIME = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`

/**
 * Writes the row of this process, and renews it until `withdraw`. Each time, also deletes the rows of dead
 * processes. Rejects with `DatabaseInUseError` if the database is being replaced.
 */
export async function announceProcess(
  database: Database,
  { host, newId, log }: { host: string; newId: NewId; log: Log },
) {
  const id = newId()
  const renewRow = () =>
    database.transaction(async tx => {
      await preventReplacement(tx)
      // Inserts instead of only updating, because another process may have deleted the row after considering
      // this process dead.
      await tx
        .insertInto('running')
        .values({ id, host, started_at: SERVER_TIME, seen_at: SERVER_TIME })
        .onConflict(conflict => conflict.column('id').doUpdateSet({ seen_at: SERVER_TIME }))
        .execute()
      await tx
        .deleteFrom('running')
        .where('seen_at', '<', sql<number>`${SERVER_TIME} - ${sql.lit(LIVENESS_TIMEOUT)}`)
        .execute()
    })
  await renewRow()
  const timer = setInterval(() => {
    renewRow().catch(error => log.warn('the sign of life could not be written', { cause: error }))
  }, RENEW_INTERVAL)
  timer.unref()
  return {
    /** Deletes the row. Never rejects: a row that could not be deleted expires. */
    async withdraw() {
      clearInterval(timer)
      await database
        .transaction(tx => tx.deleteFrom('running').where('id', '=', id).execute())
        .catch(error => log.warn('the sign of life could not be taken away', { cause: error }))
    },
  }
}

/**
 * Prevents all other processes from replacing the database until this transaction ends. Rejects with
 * `DatabaseInUseError` if it is being replaced.
 */
export async function preventReplacement(tx: Queries): Promise<void> {
  const { rows } = await sql<{
    free: boolean
  }>`select pg_try_advisory_xact_lock_shared(${sql.lit(REPLACE_LOCK)}) as free`.execute(tx)
  if (!rows[0]?.free) throw new DatabaseInUseError('the database is being replaced')
}

/** The running process that renewed its row most recently; null if no process is running. */
export async function findRunningProcess(db: Queries): Promise<{ host: string; startedAt: number } | null> {
  const row = await db
    .selectFrom('running')
    .select(['host', 'started_at'])
    .where('seen_at', '>=', sql<number>`${SERVER_TIME} - ${sql.lit(LIVENESS_TIMEOUT)}`)
    .orderBy('seen_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? { host: row.host, startedAt: row.started_at } : null
}
