/**
 * How a restored instance takes its place. The instance is made in a folder of its own inside the data folder, since
 * the data folder may be a mount and cannot be renamed itself. That inner folder gets its second name when everything
 * in it is complete and flushed. From then on there is only a way forward: the next process that opens the data folder
 * finishes the swap.
 *
 * Crash points: before the second name, the old state is untouched. After it, each step is either done or not done, and
 * the inner folder itself shows which, since a part that has been moved is no longer in it. The database is moved last:
 * until then the data folder has either its old database or no database.
 */
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { BESIDE_DATABASE, DATABASE_FILE } from '../../database/sqlite-file.ts'
import { nameTime } from '../../local-time.ts'
import { exists } from '../../storage/exists.ts'
import { flushFolder, longPath, renamePatiently } from '../../storage/platform.ts'

/**
 * The folders of an instance, beside its database. Everything else in the data folder is not part of the instance and
 * is never moved.
 */
export const INSTANCE_FOLDERS = ['files', 'thumbs', 'trash', 'staging'] as const

const COMPLETE = '.wiederherstellung'
const PART = /^\.wiederherstellung-[0-9a-z]+\.teil$/

export const partFolder = (dataDir: string, id: string) => join(dataDir, `.wiederherstellung-${id}.teil`)

/** Removes the folders of restores that died before their folder got its second name. */
export async function removeParts(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (PART.test(name)) await rm(longPath(join(dataDir, name)), { recursive: true, force: true })
  }
}

/**
 * Gives the folder its second name, which is the point of no return. `part` must hold the database. `part` must also
 * hold every one of the folders, since only a folder in it replaces an old one; so missing folders are created first.
 */
export async function declareComplete(dataDir: string, part: string): Promise<void> {
  for (const folder of INSTANCE_FOLDERS) await mkdir(join(part, folder), { recursive: true })
  await flushFolder(part)
  await renamePatiently(longPath(part), longPath(join(dataDir, COMPLETE)))
  await flushFolder(dataDir)
}

/**
 * Puts a complete instance in the place of the present one, or continues a swap that a crash interrupted. Returns null
 * when there is no complete instance to put in place. Otherwise returns the folder that holds the earlier state, or an
 * empty string when there was no earlier state.
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
