/**
 * Partial uploads (each arrives in several requests) on disk: one file each, `partial/<id>`, in the data
 * folder. The file is linked to its object name instead of renamed: if the row of the object is then not
 * written, the upload can still be continued or finished.
 */
import { type FileHandle, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ignoreAbsence } from '../local/local-object.ts'
import { longPath } from '../local/platform.ts'
import { asStorageError, type Scratch } from '../local/scratch.ts'
import { type PartialBytes, PartialLostError, type Storage, StorageFullError } from '../storage.ts'
import type { FilePlacer } from './folders.ts'

export const PARTIAL_DIR = 'partial'

/** Number of bytes after which an arriving upload is flushed. A crash loses at most about this many bytes. */
const BYTES_BETWEEN_SAVES = 16 * 1024 * 1024

interface DiskPartialsParts {
  root: string
  placeInFolder: FilePlacer
  adopt: Scratch['adopt']
}

type Partials = Pick<Storage, 'resumePartial' | 'removePartial' | 'listPartial'>

export function createDiskPartials({ root, placeInFolder, adopt }: DiskPartialsParts): Partials {
  const folder = join(root, PARTIAL_DIR)
  const fileOf = (id: string) => longPath(join(folder, id))

  async function openFile(file: string, receivedBytes: number): Promise<FileHandle> {
    let handle: FileHandle | null | undefined
    if (receivedBytes > 0) handle = await open(file, 'r+').catch(ignoreAbsence)
    else
      await placeInFolder(file, async () => {
        handle = await open(file, 'w')
      })
    if (handle && (await handle.stat()).size >= receivedBytes) return handle
    await handle?.close()
    throw new PartialLostError(`${file} lacks bytes`)
  }

  return {
    async resumePartial({ id, received: receivedBytes }) {
      const file = fileOf(id)
      return createPartialBytes(await openFile(file, receivedBytes), receivedBytes, () => adopt(file))
    },

    removePartial: id => rm(fileOf(id), { force: true }),

    async *listPartial() {
      yield* (await readdir(longPath(folder)).catch(ignoreAbsence)) ?? []
    },
  }
}

function createPartialBytes(
  handle: FileHandle,
  receivedBytes: number,
  adopt: () => ReturnType<Scratch['adopt']>,
) {
  let [writtenBytes, savedBytes, isClosed] = [receivedBytes, receivedBytes, false]

  async function close(): Promise<void> {
    if (isClosed) return
    isClosed = true
    await handle.close()
  }

  const partialBytes: PartialBytes = {
    async write(chunk) {
      try {
        for (let offset = 0; offset < chunk.length; )
          offset += (await handle.write(chunk, offset, chunk.length - offset, writtenBytes + offset))
            .bytesWritten
      } catch (error) {
        throw asStorageError(error)
      }
      writtenBytes += chunk.length
      return writtenBytes - savedBytes >= BYTES_BETWEEN_SAVES
    },

    async save() {
      savedBytes = writtenBytes
      const progress = { received: writtenBytes, state: '' }
      await handle.datasync().catch(error => {
        const storageError = asStorageError(error)
        // After a failed flush nobody knows which bytes the disk has.
        throw storageError instanceof StorageFullError
          ? storageError
          : new PartialLostError('flush', { cause: error })
      })
      return progress
    },

    async finish() {
      await close()
      const discard = async () => {}
      return { ...adopt(), isKept: true, discard, [Symbol.asyncDispose]: discard }
    },

    [Symbol.asyncDispose]: close,
  }
  return partialBytes
}
