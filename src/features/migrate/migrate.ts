/**
 * Copies a whole instance to another location: the objects, then the rows, then everything is read back and
 * compared. The copy takes its place at the end (`database/replacement.ts`). Until then nobody sees it, and
 * the source is never changed.
 *
 * An interrupted attempt is resumed: an object has its name in the target only when complete, so one with the
 * right length is not copied again. Copying the rows is fast, so they are written again at each attempt.
 */
import { batches } from '../../base/batches.ts'
import { awaitAll } from '../../database/await-all.ts'
import { countRows } from '../../database/count-rows.ts'
import type { Database } from '../../database/database.ts'
import { lastNumbers } from '../../database/highest-number.ts'
import { MIGRATION_NAMES } from '../../database/migrate.ts'
import type { NewInstance, NewRows } from '../../database/replacement.ts'
import { migrateTrouble } from '../../errors/errors.ts'
import type { Storage } from '../../storage/storage.ts'
import { correctedRow, FILE_TABLES, PLAIN_TABLES, type Row, rowsOf } from '../backup/archive/tables.ts'
import { hashOf } from '../integrity/examine.ts'
import { ownedAmount, walkOwners } from '../integrity/owners.ts'
import { storeContent } from '../restore/restore.ts'
import {
  continueNumbers,
  insertBatch,
  isFileTable,
  type KnownTable,
  nameByPath,
  ROWS_PER_STATEMENT,
  restoredRow,
  type ValidRow,
} from '../restore/rows.ts'

const CONCURRENT_COPIES = 8

export interface MigrateParts {
  source: { database: Database; storage: Storage }
  target: NewInstance
  onProgress: (done: number, total: number) => void
}

export interface MigrationReport {
  copied: number
  /** Number of objects that an earlier attempt had copied. */
  alreadyCopied: number
  /**
   * Files whose object is missing in the source, or differs from the SHA-256 of its row. Altered objects are
   * copied as they are.
   */
  missing: string[]
  altered: string[]
}

export async function copyInstance({ source, target, onProgress }: MigrateParts): Promise<MigrationReport> {
  const { bytes } = await ownedAmount(source.database.read)
  let doneBytes = 0
  // Every byte is copied once and read back once.
  const onBytes = (count: number) => {
    doneBytes += count
    onProgress(Math.min(doneBytes, 2 * bytes), 2 * bytes)
  }
  return target.load(MIGRATION_NAMES, async into => {
    const report = await copyObjects(source, into, onBytes)
    await copyRows(source.database, into)
    await copyKey(source.storage, into.storage)
    await compare(source.database, into, report, onBytes)
    return report
  })
}

async function copyObjects(
  { database, storage }: MigrateParts['source'],
  into: NewRows,
  onBytes: (count: number) => void,
): Promise<MigrationReport> {
  const report: MigrationReport = { copied: 0, alreadyCopied: 0, missing: [], altered: [] }
  const objectNaming = nameByPath(into)
  const copy = async (row: ValidRow, object: string) => {
    if ((await into.storage.measure(object)) === row.size) {
      report.alreadyCopied++
      return onBytes(row.size)
    }
    const stored = await storage.inspect(row.object)
    if (!stored) return void report.missing.push(row.path)
    const { body } = stored
    const sha256 = await storeContent(into.storage, body instanceof Blob ? body.stream() : body, object)
    report.copied++
    if (sha256 !== row.sha256) report.altered.push(row.path)
    onBytes(stored.size)
  }
  // `awaitAll` waits for all copies even after an error: the target is then closed, and nothing may still be
  // writing to it.
  for (const table of FILE_TABLES)
    for await (const page of rowsOf(database.browse, table))
      for (const batch of batches(page as ValidRow[], CONCURRENT_COPIES))
        await awaitAll(...batch.map(row => copy(row, objectNaming(table, row))))
  return report
}

async function copyRows(database: Database, into: NewRows): Promise<void> {
  const objectNaming = nameByPath(into)
  const rowForTarget = (table: KnownTable, row: Row): Row => {
    if (!isFileTable(table)) return row
    // `folder` is a generated column and cannot be written.
    const { folder: _, ...columns } = row
    return restoredRow(table, correctedRow(columns) as ValidRow, objectNaming)
  }
  for (const table of [...PLAIN_TABLES, ...FILE_TABLES])
    for await (const page of rowsOf(database.browse, table))
      for (const batch of batches(page, ROWS_PER_STATEMENT))
        await insertBatch(
          into.tx,
          table,
          batch.map(row => rowForTarget(table, row)),
        )
  await continueNumbers(into, await lastNumbers(database.read, database.queries))
}

/** Copies the key of the source, so that encrypted secrets in the rows stay readable. */
async function copyKey(source: Storage, target: Storage): Promise<void> {
  const key = await source.readKey()
  if (key !== null) await target.writeKey(key, { replace: true })
}

/** Rejects if the target does not contain what the source contains, apart from missing and altered files. */
async function compare(
  { browse, read, queries }: Database,
  into: NewRows,
  { missing, altered }: MigrationReport,
  onBytes: (count: number) => void,
): Promise<void> {
  const count = (db: NewRows['tx'], table: KnownTable) => countRows(db.selectFrom(table))
  for (const table of [...PLAIN_TABLES, ...FILE_TABLES]) {
    if ((await count(browse, table)) !== (await count(into.tx, table)))
      throw migrateTrouble.differs(`die Tabelle ${table}`)
  }
  const [sourceNumbers, targetNumbers] = [
    await lastNumbers(read, queries),
    await lastNumbers(into.tx, into.queries),
  ]
  if (JSON.stringify(sourceNumbers) !== JSON.stringify(targetNumbers))
    throw migrateTrouble.differs('die laufende Nummer')
  const knownProblems = new Set([...missing, ...altered])
  for await (const { path, object, sha256 } of walkOwners(into.tx)) {
    const stored = await into.storage.inspect(object)
    if ((stored && (await hashOf(stored, onBytes)) === sha256) || knownProblems.has(path)) continue
    // An earlier attempt may have copied it, and not have told that it was altered already. The next attempt
    // copies it again.
    await into.storage.remove(object)
    throw migrateTrouble.differs(path)
  }
}
