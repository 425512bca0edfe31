/**
 * The folders of the disk adapter. They are created durably when an object needs them, and removed together
 * with their last object.
 */
import { mkdir, rmdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errorCode } from '../../base/system/error-code.ts'
import { ignoreAbsence } from '../local/local-object.ts'
import { flushFolder } from '../local/platform.ts'
import { asStorageError } from '../local/scratch.ts'

/**
 * Maximum number of attempts to put a file into its folder: a concurrent `removeEmptyFolders` may remove a
 * folder that was just created and is still empty.
 */
const MAX_FOLDER_ATTEMPTS = 5

/**
 * Runs `place`, which puts `file` into its folder; afterwards flushes the folder. If `place` fails because
 * the folder is missing, creates the folder, flushes its entry in its parent, and runs `place` again.
 */
export type FilePlacer = (file: string, place: () => Promise<void>) => Promise<void>

export function createFilePlacer(): FilePlacer {
  /**
   * The running creations of folders. A caller that finds a folder just created by another caller must also
   * wait until the folder is flushed.
   */
  const runningCreations = new Set<Promise<void>>()

  return async (file, place) => {
    const folder = dirname(file)
    for (let attempt = 1; ; attempt++) {
      try {
        await place()
        break
      } catch (error) {
        if (errorCode(error) !== 'ENOENT' || attempt === MAX_FOLDER_ATTEMPTS) throw asStorageError(error)
        const creation = createFolderDurably(folder)
        runningCreations.add(creation)
        await creation.finally(() => runningCreations.delete(creation))
      }
    }
    await Promise.all([flushFolder(folder), ...runningCreations])
  }
}

async function createFolderDurably(folder: string): Promise<void> {
  const topNewFolder = await mkdir(folder, { recursive: true }).catch(error => {
    throw asStorageError(error)
  })
  if (topNewFolder === undefined) return
  // Flush the parent of each new folder, beginning with the deepest folder.
  for (let newFolder = folder; newFolder.length >= topNewFolder.length; newFolder = dirname(newFolder)) {
    await flushFolder(dirname(newFolder)).catch(ignoreAbsence)
  }
}

/** Removes folders that became empty when an object was removed, except a root such as `files`. */
export async function removeEmptyFolders(name: string, fileOf: (name: string) => string): Promise<void> {
  const folders = name.split('/').slice(0, -1)
  for (let isEmpty = true; isEmpty && folders.length > 1; folders.pop())
    await rmdir(fileOf(folders.join('/'))).catch(() => {
      isEmpty = false
    })
}
