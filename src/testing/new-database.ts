/**
 * A new, migrated database for a test. Migrations run once per process; every database is a copy of the file
 * that they have made.
 */
import { Database } from 'bun:sqlite'
import { mkdtempSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqlite } from '../database/sqlite/sqlite.ts'
import { removeTree } from '../storage/local/remove-tree.ts'

let template: Promise<Buffer> | undefined

/** Writes a database file with the current schema and without files or accounts. */
export async function writeNewDatabase(file: string): Promise<void> {
  template ??= createTemplate()
  await writeFile(file, await template, { mode: 0o600 })
  // The service treats the time of the first migration as the time at which the instance was created, so the
  // copy must not keep that of the template.
  using database = new Database(file)
  database.run('update migration set applied_at = ?', [Date.now()])
}

async function createTemplate(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'fundus-test-'))
  try {
    const file = join(folder, 'new.db')
    await (await openSqlite({ file })).close()
    return readFileSync(file)
  } finally {
    await removeTree(folder)
  }
}
