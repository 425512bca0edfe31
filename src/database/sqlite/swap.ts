/**
 * Puts a new state in its place in the data folder (the swap). The new state is prepared in a folder inside
 * the data folder, the replacement folder. (A folder beside the data folder would not work: the data folder
 * may be a mount point, which cannot be renamed.) When everything in the replacement folder is complete and
 * flushed, that folder is renamed to a name that marks it as complete. This cannot be undone: after a crash,
 * the next process that opens the data folder finishes the swap.
 *
 * Crash points: before that renaming, the old state is untouched. After it, the renamed folder shows which
 * steps are done, since everything that was moved is no longer in it. The database is moved last: until then
 * the data folder has its old database or none.
 *
 * A process may wait for the lock on the old database while the swapping process holds it, and get the lock
 * after the file was moved. SQLite then refuses to turn on WAL mode for a file that was moved
 * (SQLITE_READONLY_DBMOVED), so nothing is written; the waiting process sees that another database is in
 * place, and opens that one (`openLiveDatabase`).
 */
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileNameTime } from '../../base/local-time.ts'
import { errorCode } from '../../base/system/error-code.ts'
import { exists } from '../../storage/local/exists.ts'
import { flushFolder, longPath, renameWithRetry } from '../../storage/local/platform.ts'
import { removeTree } from '../../storage/local/remove-tree.ts'
import { DISK_INSTANCE_KEY } from '../../storage/names.ts'
import type { Database } from '../database.ts'
import { DatabaseInUseError } from '../replacement.ts'
import { lockExclusively } from './exclusive-use.ts'
import { DATABASE_FILE, INSTANCE_FOLDERS, SIDE_FILE_SUFFIXES } from './file.ts'
import { openSqlite, type SqliteOptions } from './sqlite.ts'

/** What the swap replaces: the whole instance (`restore`, `migrate`), or only its database (`rebuild`). */
export type SwapKind = keyof typeof SWAP_KINDS

/**
 * `completeName`: the name of a complete replacement folder. `keptPrefix`: prefix of the name under which the
 * earlier state is kept.
 */
const SWAP_KINDS = {
  instance: { completeName: '.wiederherstellung', keptPrefix: 'vorher-' },
  database: { completeName: '.wiederaufbau', keptPrefix: `${DATABASE_FILE}.beiseite-` },
} as const

/**
 * The replacement folder of `migrate`. After an interruption it stays, and the next `migrate` continues with
 * it.
 */
export const MIGRATE_REPLACEMENT_FOLDER = '.umzug.teil'

const RESTORE_FOLDER_PATTERN = /^\.wiederherstellung-[0-9a-z]+\.teil$/

/**
 * The replacement folder of a restore is named after `id`, so that a repeated restore with the same `id`
 * finds it again. All rebuilds use the same folder, so a rebuild continues where an interrupted one ended.
 */
export const replacementFolderOf = (dataDir: string, kind: SwapKind, id: string) =>
  join(dataDir, kind === 'instance' ? `.wiederherstellung-${id}.teil` : '.wiederaufbau.teil')

/**
 * Removes the replacement folders of restores that crashed before `markReplacementComplete`. Call it only
 * while no restore can be running: while this process has the database open or locked, or while no database
 * exists. `exceptFolder`: the replacement folder of an interrupted restore that is about to be continued.
 */
export async function removeInterruptedRestores(dataDir: string, exceptFolder?: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    const replacementFolder = join(dataDir, name)
    if (RESTORE_FOLDER_PATTERN.test(name) && replacementFolder !== exceptFolder)
      await removeTree(replacementFolder)
  }
}

/**
 * Renames the replacement folder to the name that marks it as complete. This is the point of no return. The
 * database in the folder must be closed. For a whole instance, missing folders are created first, because
 * `finishSwap` replaces an old folder only if the replacement folder has a new one.
 */
export async function markReplacementComplete(
  dataDir: string,
  kind: SwapKind,
  replacementFolder: string,
): Promise<void> {
  if (kind === 'instance')
    for (const folder of INSTANCE_FOLDERS) await mkdir(join(replacementFolder, folder), { recursive: true })
  await flushFolder(replacementFolder)
  await renameWithRetry(longPath(replacementFolder), longPath(join(dataDir, SWAP_KINDS[kind].completeName)))
  await flushFolder(dataDir)
}

/**
 * Moves the contents of a complete replacement folder to their places, or continues a swap that a crash
 * interrupted. Does nothing without a complete replacement folder. Returns the path of the kept earlier
 * state, if any. Must be called within `withSwapLock`.
 */
export async function finishSwap(dataDir: string, now: number): Promise<string | null> {
  const timeText = fileNameTime(now)
  let keptPath: string | null = null
  for (const swapKind of Object.values(SWAP_KINDS)) {
    const completeFolder = join(dataDir, swapKind.completeName)
    if (!(await exists(completeFolder))) continue
    const moveToKept = async (name: string) => {
      const oldPath = join(dataDir, name)
      if (!(await exists(oldPath))) return
      keptPath = join(dataDir, swapKind.keptPrefix + timeText)
      if (swapKind === SWAP_KINDS.instance) await mkdir(keptPath, { recursive: true })
      const keptTarget =
        swapKind === SWAP_KINDS.instance ? join(keptPath, name) : keptPath + name.slice(DATABASE_FILE.length)
      await renameWithRetry(longPath(oldPath), longPath(keptTarget))
    }
    // Only `migrate` puts the key of the instance into the replacement folder. A restore leaves the existing
    // key in place.
    for (const name of [...INSTANCE_FOLDERS, DISK_INSTANCE_KEY, DATABASE_FILE]) {
      if (!(await exists(join(completeFolder, name)))) continue
      if (name === DATABASE_FILE) for (const suffix of SIDE_FILE_SUFFIXES) await moveToKept(name + suffix)
      await moveToKept(name)
      await renameWithRetry(longPath(join(completeFolder, name)), longPath(join(dataDir, name)))
    }
    await flushFolder(dataDir)
    await removeTree(completeFolder)
  }
  return keptPath
}

/** Milliseconds to wait until another process has finished its swap, and the pause between two checks. */
const SWAP_TIMEOUT = 10_000
const SWAP_PAUSE = 20

/**
 * Runs `work` while no other process swaps, by locking a file. If this process dies, the lock is released.
 * Rejects with `DatabaseInUseError` if another process holds the lock for longer than `SWAP_TIMEOUT`.
 */
export async function withSwapLock<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const lockFile = join(dataDir, '.wiederherstellung.sperre')
  let lock = await lockExclusively(lockFile)
  for (let waitTime = 0; !lock; waitTime += SWAP_PAUSE) {
    if (waitTime >= SWAP_TIMEOUT) throw new DatabaseInUseError('another process does not finish its swap')
    await Bun.sleep(SWAP_PAUSE)
    lock = await lockExclusively(lockFile)
  }
  try {
    return await work()
  } finally {
    lock.release()
    await rm(lockFile, { force: true })
  }
}

const isSwapping = async (dataDir: string) =>
  (
    await Promise.all(
      Object.values(SWAP_KINDS).map(({ completeName }) => exists(join(dataDir, completeName))),
    )
  ).some(Boolean)

/** Whether the data folder has a database, or a complete replacement folder whose swap is not finished. */
export const hasInstance = async (dataDir: string) =>
  (await exists(join(dataDir, DATABASE_FILE))) || (await isSwapping(dataDir))

/**
 * Opens the database of the data folder, after finishing an interrupted swap. If another process has replaced
 * the database while it was being opened, opens it again.
 */
export async function openLiveDatabase(
  dataDir: string,
  { now, ...options }: { now: () => number } & Pick<SqliteOptions, 'faults' | 'reserve'>,
): Promise<Database> {
  const file = join(dataDir, DATABASE_FILE)
  for (;;) {
    if (await isSwapping(dataDir)) await withSwapLock(dataDir, () => finishSwap(dataDir, now()))
    const identityBefore = await identityOf(file)
    const openDatabase = () => openSqlite({ file, ...options })
    const openResult = await openDatabase()
      .catch(error =>
        isDiskFullError(error) && options.reserve?.release() ? openDatabase() : Promise.reject(error),
      )
      .catch(error => ({ error }))
    if (!(await isSwapping(dataDir)) && (await identityOf(file)) === identityBefore) {
      if ('error' in openResult) throw openResult.error
      return openResult
    }
    if (!('error' in openResult)) await openResult.close()
  }
}

/** Whether the disk was too full for SQLite to write its log or extend its shared-memory file. */
const isDiskFullError = (error: unknown) => ['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE'].includes(errorCode(error))

/**
 * Returns a text that identifies the file: it differs after another file has replaced this one under the same
 * name. Creates the file if it is missing.
 */
async function identityOf(file: string): Promise<string> {
  if (!(await exists(file))) await (await open(longPath(file), 'a')).close()
  const { dev, ino } = await stat(longPath(file), { bigint: true })
  return `${dev} ${ino}`
}
