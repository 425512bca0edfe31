/** Compares the rows of a restored database with those of its archive. */
import { streamBatches } from '../../base/batches.ts'
import type { Manifest } from '../../contract/service/backup-archive.ts'
import { ownValue } from '../../contract/values/own-value.ts'
import { countRows } from '../../database/count-rows.ts'
import type { NewRowsTarget } from '../../database/replacement.ts'
import { rehearsalTrouble } from '../../errors/errors.ts'
import { type ArchiveFile, entriesOf } from '../backup/archive/archive-reader.ts'
import { type Row, rowKey, rowsWithSameKeys } from '../backup/archive/tables.ts'
import type { LocatedEntry } from '../backup/archive/tar.ts'
import {
  createPathNaming,
  filesInTable,
  fillsStatement,
  isFileTable,
  type KnownTable,
  readTables,
  rowsInTable,
} from '../restore/rows.ts'

/**
 * Returns the number of rows in all tables if every row is equal; rejects with `BackupTrouble` otherwise.
 * `correctedPaths` contains the paths of files whose row the restore has corrected; their size may differ
 * from the archive.
 */
export async function compareRows(
  newRows: NewRowsTarget,
  archive: ArchiveFile,
  manifest: Manifest,
  correctedPaths: ReadonlySet<string>,
): Promise<number> {
  const entries = entriesOf(archive, manifest.pruefsummen_ab)
  const { tables } = await readTables(async () => (await entries.next()).value || undefined)
  let rowCount = 0
  for (const [table, entry] of tables) {
    const rowCountBefore = rowCount
    for await (const batch of streamBatches(expectedRows(newRows, archive, table, entry), fillsStatement)) {
      const storedRows = await rowsWithSameKeys(
        newRows.tx,
        table,
        batch.map(({ row }) => row),
      )
      const storedRowsByKey = new Map(storedRows.map(row => [rowKey(table, row), row]))
      for (const { row, lineNumber } of batch)
        if (!areRowsEqual(row, storedRowsByKey.get(rowKey(table, row)), correctedPaths))
          throw rehearsalTrouble.rowDiffers(table, lineNumber)
      rowCount += batch.length
    }
    const storedCount = await countRows(newRows.tx.selectFrom(table))
    if (storedCount !== rowCount - rowCountBefore)
      throw rehearsalTrouble.rowDiffers(table, rowCount - rowCountBefore + 1)
  }
  return rowCount
}

/** The rows of the archive, as a restore would insert them. */
const expectedRows = (
  newRows: NewRowsTarget,
  archive: ArchiveFile,
  table: KnownTable,
  entry: LocatedEntry,
): AsyncIterable<{ row: Row; lineNumber: number }> =>
  isFileTable(table)
    ? filesInTable(archive, table, entry, createPathNaming(newRows))
    : rowsInTable(archive, table, entry)

const areRowsEqual = (expectedRow: Row, storedRow: Row | undefined, correctedPaths: ReadonlySet<string>) =>
  storedRow !== undefined &&
  Object.entries(expectedRow).every(
    ([column, value]) =>
      ownValue(storedRow, column) === value ||
      (column === 'size' && correctedPaths.has(String(expectedRow.path))),
  )
