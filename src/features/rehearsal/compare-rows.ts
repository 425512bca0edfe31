/** Compares the rows of a restored database with those of its archive. */
import { inBatches } from '../../base/batches.ts'
import type { Manifest } from '../../contract/upload/archive.ts'
import { ownValue } from '../../contract/values/own-value.ts'
import { countRows } from '../../database/count-rows.ts'
import type { NewRows } from '../../database/replacement.ts'
import { rehearsalTrouble } from '../../errors/errors.ts'
import { type ArchiveFile, entriesOf } from '../backup/archive/archive-reader.ts'
import { keyOf, type Row, rowsLike } from '../backup/archive/tables.ts'
import type { ReadEntry } from '../backup/archive/tar.ts'
import { tablesFrom } from '../restore/restore.ts'
import { BATCH, filesIn, isFileTable, type KnownTable, nameByPath, rowsIn } from '../restore/rows.ts'

/**
 * Returns the number of rows if all are equal; rejects with `BackupTrouble` otherwise. `corrected`: paths of
 * files whose row the restore has corrected; their size may differ from the archive.
 */
export async function compareRows(
  into: NewRows,
  archive: ArchiveFile,
  manifest: Manifest,
  corrected: ReadonlySet<string>,
): Promise<number> {
  const entries = entriesOf(archive, manifest.pruefsummen_ab)
  const { tables } = await tablesFrom(async () => (await entries.next()).value || undefined)
  let rows = 0
  for (const [table, entry] of tables) {
    const before = rows
    for await (const some of inBatches(expectedRows(into, archive, table, entry), isFull)) {
      const stored = await rowsLike(
        into.tx,
        table,
        some.map(({ row }) => row),
      )
      const byKey = new Map(stored.map(row => [keyOf(table, row), row]))
      for (const { row, line } of some)
        if (!isEqual(row, byKey.get(keyOf(table, row)), corrected))
          throw rehearsalTrouble.rowDiffers(table, line)
      rows += some.length
    }
    const count = await countRows(into.tx.selectFrom(table))
    if (count !== rows - before) throw rehearsalTrouble.rowDiffers(table, rows - before + 1)
  }
  return rows
}

const isFull = ({ length }: readonly unknown[]) => length === BATCH

/** The rows as a restore makes them. */
const expectedRows = (
  into: NewRows,
  archive: ArchiveFile,
  table: KnownTable,
  entry: ReadEntry,
): AsyncIterable<{ row: Row; line: number }> =>
  isFileTable(table) ? filesIn(archive, table, entry, nameByPath(into)) : rowsIn(archive, table, entry)

const isEqual = (expected: Row, stored: Row | undefined, corrected: ReadonlySet<string>) =>
  stored !== undefined &&
  Object.entries(expected).every(
    ([column, value]) =>
      ownValue(stored, column) === value || (column === 'size' && corrected.has(String(expected.path))),
  )
