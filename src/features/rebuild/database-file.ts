/**
 * The file of the database before and after a rebuild. The index is built in a file of its own, which takes the place
 * of the database only when it is complete. A database that was in that place is renamed, never deleted.
 */
import { Database as Connection } from 'bun:sqlite'
import { rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { BESIDE_DATABASE } from '../../database/sqlite-file.ts'
import { exists } from '../../storage/exists.ts'
import { flushFolder } from '../../storage/platform.ts'

const COMPANIONS = ['', ...BESIDE_DATABASE] as const

/**
 * `holding`: the database has files, in the library or in the trash. `empty`: a Fundus database without files, though
 * accounts and settings may be in it. `broken`: not readable, not a Fundus database, or only a part of its files is
 * there. `busy`: another process has the database open.
 */
export type FileState = 'absent' | 'empty' | 'holding' | 'broken' | 'busy'

/**
 * Checked before SQLite opens the file: SQLite would take the files beside a broken database for leftovers and delete
 * them.
 */
const hasHeader = async (file: string) => (await Bun.file(file).slice(0, HEADER.length).text()) === HEADER
const HEADER = 'SQLite format 3\0'

export async function inspectFile(file: string): Promise<FileState> {
  if (!(await exists(file))) {
    const left = await Promise.all(COMPANIONS.map(end => exists(file + end)))
    return left.some(Boolean) ? 'broken' : 'absent'
  }
  if (!(await hasHeader(file))) return 'broken'
  let connection: Connection | undefined
  try {
    connection = new Connection(file, { create: false, readwrite: true })
    // SQLite refuses this as long as any other process is connected, even one that only reads.
    connection.run('pragma locking_mode = exclusive')
    connection.run('begin exclusive')
    connection.run('rollback')
    const has = (table: string) => connection?.query(`select 1 from ${table} limit 1`).get() !== null
    return has('media') || has('trash') ? 'holding' : 'empty'
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    return code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED') ? 'busy' : 'broken'
  } finally {
    connection?.close()
  }
}

/**
 * Copies everything in a database that holds no files, so that accounts, settings and tokens made since the loss are
 * kept.
 */
export function copyDatabase(from: string, to: string): void {
  const connection = new Connection(from, { create: false, readwrite: true })
  try {
    connection.run('vacuum into ?', [to])
  } finally {
    connection.close()
  }
}

/**
 * Renames a database and the files beside it, to make way for another one. Returns the new name, or null when there was
 * no file.
 */
export async function setAside(file: string, stamp: string): Promise<string | null> {
  const aside = `${file}.beiseite-${stamp}`
  let moved = false
  for (const end of COMPANIONS) {
    if (!(await exists(file + end))) continue
    await rename(file + end, aside + end)
    moved = true
  }
  return moved ? aside : null
}

/** `made` must be closed: then all of the database is in this one file. */
export async function putInPlace(made: string, file: string): Promise<void> {
  if (await exists(`${made}-wal`)) throw new Error(`${made} has not been closed`)
  await rename(made, file)
  await flushFolder(dirname(file))
}
