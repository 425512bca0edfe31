/**
 * How a restored instance takes its place. It is made in a folder of its own inside the data folder, which may be a mount
 * and cannot be renamed itself. That folder gets its second name when everything in it is complete and flushed; from then
 * on there is a way forward only, and whoever opens the data folder next goes it to its end.
 *
 * Crash points: before the second name the old state is untouched; after it each step is done or not, which the folder
 * itself tells, since what has been moved is no longer in it. The database is moved last: until then what lies in the data
 * folder has either its old database or none.
 */
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { BESIDE_DATABASE, DATABASE_FILE } from '../../database/sqlite-file.ts'
import { nameTime } from '../../local-time.ts'
import { exists } from '../../storage/exists.ts'
import { flushFolder, longPath, renamePatiently } from '../../storage/platform.ts'

/** What an instance consists of, beside its database. Everything else in the data folder is not ours to move. */
export const INSTANCE_FOLDERS = ['files', 'thumbs', 'trash', 'staging'] as const

const COMPLETE = '.wiederherstellung'
const PART = /^\.wiederherstellung-[0-9a-z]+\.teil$/

export const partFolder = (dataDir: string, id: string) => join(dataDir, `.wiederherstellung-${id}.teil`)

/** What restores that died before their second name have left. */
export async function removeParts(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (PART.test(name)) await rm(longPath(join(dataDir, name)), { recursive: true, force: true })
  }
}

/** The point of no return; `part` must hold the database and every one of the folders. */
export async function declareComplete(dataDir: string, part: string): Promise<void> {
  for (const folder of INSTANCE_FOLDERS) await mkdir(join(part, folder), { recursive: true })
  await flushFolder(part)
  await renamePatiently(longPath(part), longPath(join(dataDir, COMPLETE)))
  await flushFolder(dataDir)
}

/**
 * Puts a complete instance in the place of the present one, or goes on with that where a crash interrupted it; null when
 * there is none. Answers the folder that holds what was there before, or empty when nothing was.
 */
export async function takePlace(dataDir: string, now: number): Promise<string | null> {
  const complete = join(dataDir, COMPLETE)
  if (!(await exists(complete))) return null
  const before = join(dataDir, `vorher-${nameTime(now)}`)
  let kept = false
  const away = async (name: string) => {
    if (!(await exists(join(dataDir, name)))) return
    await mkdir(before, { recursive: true })
    await renamePatiently(longPath(join(dataDir, name)), longPath(join(before, name)))
    kept = true
  }
  for (const name of INSTANCE_FOLDERS) {
    if (!(await exists(join(complete, name)))) continue
    await away(name)
    await renamePatiently(longPath(join(complete, name)), longPath(join(dataDir, name)))
  }
  if (await exists(join(complete, DATABASE_FILE))) {
    for (const end of BESIDE_DATABASE) await away(DATABASE_FILE + end)
    await away(DATABASE_FILE)
    await renamePatiently(longPath(join(complete, DATABASE_FILE)), longPath(join(dataDir, DATABASE_FILE)))
  }
  await flushFolder(dataDir)
  await rm(longPath(complete), { recursive: true, force: true })
  return kept ? before : ''
}
