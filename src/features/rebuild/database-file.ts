/**
 * The database's file around a rebuild. The index is built in a file of its own and takes its place only when it is
 * complete; whatever was in that place is renamed, never deleted.
 */
import { Database as Connection } from 'bun:sqlite'
import { rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { BESIDE_DATABASE } from '../../database/sqlite-file.ts'
import { exists } from '../../storage/exists.ts'
import { flushFolder } from '../../storage/platform.ts'

const COMPANIONS = ['', ...BESIDE_DATABASE] as const

/**
 * `holding`: it has files, in the library or in the trash. `empty`: ours and without any, though accounts and settings may
 * be in it. `broken`: not readable, not ours, or only a part of it is there. `busy`: somebody has it open.
 */
export type FileState = 'absent' | 'empty' | 'holding' | 'broken' | 'busy'

/** SQLite would take what lies beside a broken file for leftovers, and delete it. */
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
    // Refused as long as any other process is connected, even if it only reads.
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

/** Everything of an empty database: accounts, settings and tokens that were made since are kept. */
export function copyDatabase(from: string, to: string): void {
  const connection = new Connection(from, { create: false, readwrite: true })
  try {
    connection.run('vacuum into ?', [to])
  } finally {
    connection.close()
  }
}

/** Gives way to another; answers the new name, null when there was nothing. */
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

/** `made` is closed, and so all of it is in its one file. */
export async function putInPlace(made: string, file: string): Promise<void> {
  if (await exists(`${made}-wal`)) throw new Error(`${made} has not been closed`)
  await rename(made, file)
  await flushFolder(dirname(file))
}
