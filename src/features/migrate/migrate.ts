/**
 * Copies an instance to another location: first the original of each file, then the rows of all tables that a
 * backup contains, then the key of the instance. Derived files are not copied; the target makes them again.
 * Then the copied originals are read back and compared with the SHA-256 in their rows, and the tables are
 * compared by their numbers of rows. The copy becomes visible only at the end (`database/replacement.ts`),
 * and the source is never changed.
 *
 * An interrupted attempt can be resumed. An object gets its name in the target only when it is complete, so
 * an object with the right length is not copied again. Copying the rows is fast, so each attempt writes them
 * again.
 */
import { batches } from '../../base/batches.ts'
import { awaitAll } from '../../database/await-all.ts'
import { countRows } from '../../database/count-rows.ts'
import type { Database } from '../../database/database.ts'
import { readLastAssignedNumbers } from '../../database/highest-number.ts'
import { MIGRATION_NAMES } from '../../database/migrate.ts'
import type { InstanceReplacement, NewRowsTarget } from '../../database/replacement.ts'
import { migrateTrouble } from '../../errors/errors.ts'
import type { Storage } from '../../storage/storage.ts'
import { correctedRow, FILE_TABLES, NON_FILE_TABLES, type Row, rowsOf } from '../backup/archive/tables.ts'
import { hashObject } from '../integrity/examine.ts'
import { totalFileAmount, walkOwners } from '../integrity/owners.ts'
import { storeContent } from '../restore/fill-instance.ts'
import {
  continueNumbering,
  createPathNaming,
  insertBatch,
  isFileTable,
  type KnownTable,
  ROWS_PER_STATEMENT,
  restoredRow,
  type ValidRow,
} from '../restore/rows.ts'

const CONCURRENT_COPIES = 8

export interface MigrateParts {
  source: { database: Database; storage: Storage }
  target: InstanceReplacement
  /**
   * Called with numbers of bytes. Each byte of an object counts twice: when it is copied and when it is read
   * back.
   */
  onProgress: (doneBytes: number, totalBytes: number) => void
}

export interface MigrationReport {
  copied: number
  /** Number of objects that an earlier attempt had copied. */
  alreadyCopied: number
  /** Paths of files whose object is missing in the source. */
  missing: string[]
  /** Paths of files whose object differs from the SHA-256 of its row. Such an object is copied as it is. */
  altered: string[]
}

export async function copyInstance({ source, target, onProgress }: MigrateParts): Promise<MigrationReport> {
  const { bytes } = await totalFileAmount(source.database.read)
  let doneBytes = 0
  // Every byte is copied once and read back once.
  const onBytes = (count: number) => {
    doneBytes += count
    onProgress(Math.min(doneBytes, 2 * bytes), 2 * bytes)
  }
  return target.load(MIGRATION_NAMES, async newRows => {
    const report = await copyObjects(source, newRows, onBytes)
    await copyRows(source.database, newRows)
    await copyKey(source.storage, newRows.storage)
    await compareWithSource(source.database, newRows, report, onBytes)
    return report
  })
}

async function copyObjects(
  { database, storage }: MigrateParts['source'],
  newRows: NewRowsTarget,
  onBytes: (count: number) => void,
): Promise<MigrationReport> {
  const report: MigrationReport = { copied: 0, alreadyCopied: 0, missing: [], altered: [] }
  const objectNaming = createPathNaming(newRows)
  const copy = async (row: ValidRow, object: string) => {
    if ((await newRows.storage.measure(object)) === row.size) {
      report.alreadyCopied++
      return onBytes(row.size)
    }
    const storedObject = await storage.inspect(row.object)
    if (!storedObject) return void report.missing.push(row.path)
    const { body } = storedObject
    const sha256 = await storeContent(newRows.storage, body instanceof Blob ? body.stream() : body, object)
    report.copied++
    if (sha256 !== row.sha256) report.altered.push(row.path)
    onBytes(storedObject.size)
  }
  // `awaitAll` waits for all copies even if one fails: after an error the target is closed, and by then
  // nothing may be writing to it.
  for (const table of FILE_TABLES)
    for await (const page of rowsOf(database.slowRead, table))
      for (const batch of batches(page as ValidRow[], CONCURRENT_COPIES))
        await awaitAll(...batch.map(row => copy(row, objectNaming(table, row))))
  return report
}

async function copyRows(database: Database, newRows: NewRowsTarget): Promise<void> {
  const objectNaming = createPathNaming(newRows)
  const rowForTarget = (table: KnownTable, row: Row): Row => {
    if (!isFileTable(table)) return row
    // `folder` is a generated column and cannot be written.
    const { folder: _, ...columns } = row
    return restoredRow(table, correctedRow(columns) as ValidRow, objectNaming)
  }
  for (const table of [...NON_FILE_TABLES, ...FILE_TABLES])
    for await (const page of rowsOf(database.slowRead, table))
      for (const batch of batches(page, ROWS_PER_STATEMENT))
        await insertBatch(
          newRows.tx,
          table,
          batch.map(row => rowForTarget(table, row)),
        )
  await continueNumbering(newRows, await readLastAssignedNumbers(database.read, database.queryTraits))
}

/** Copies the key of the instance, so that encrypted secrets in the rows stay readable. */
async function copyKey(source: Storage, target: Storage): Promise<void> {
  const key = await source.readKey()
  if (key !== null) await target.writeKey(key, { replace: true })
}

/**
 * Rejects if the target differs from the source in the number of rows of a table, in the last row numbers, or
 * in the content of a file that is not reported as missing or altered.
 */
async function compareWithSource(
  { slowRead: slowDb, read, queryTraits }: Database,
  newRows: NewRowsTarget,
  { missing: missingPaths, altered: alteredPaths }: MigrationReport,
  onBytes: (count: number) => void,
): Promise<void> {
  const count = (db: NewRowsTarget['tx'], table: KnownTable) => countRows(db.selectFrom(table))
  for (const table of [...NON_FILE_TABLES, ...FILE_TABLES]) {
    if ((await count(slowDb, table)) !== (await count(newRows.tx, table)))
      throw migrateTrouble.differs(`die Tabelle ${table}`)
  }
  const [sourceNumbers, targetNumbers] = [
    await readLastAssignedNumbers(read, queryTraits),
    await readLastAssignedNumbers(newRows.tx, newRows.queryTraits),
  ]
  if (JSON.stringify(sourceNumbers) !== JSON.stringify(targetNumbers))
    throw migrateTrouble.differs('die laufende Nummer')
  const reportedPaths = new Set([...missingPaths, ...alteredPaths])
  for await (const { path, object, sha256 } of walkOwners(newRows.tx)) {
    const storedObject = await newRows.storage.inspect(object)
    if ((storedObject && (await hashObject(storedObject, onBytes)) === sha256) || reportedPaths.has(path))
      continue
    // An interrupted attempt may have copied this object when it was altered already, and its report is lost.
    // The object is removed, so that the next attempt copies it again and reports it.
    await newRows.storage.remove(object)
    throw migrateTrouble.differs(path)
  }
}
