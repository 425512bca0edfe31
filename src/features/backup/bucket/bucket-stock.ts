/**
 * The content store of a bucket. Contents are named by the checksums of their plain bytes even if they are
 * encrypted, so name and size show whether the target has a content, as in a folder.
 */
import { streamBatches } from '../../../base/batches.ts'
import { isSha256 } from '../../../contract/service/backup-archive.ts'
import type { BucketFiles } from '../../../storage/s3/bucket-files.ts'
import { contentFolderOf, REREAD_NOTE_FILE, SET_ASIDE_FOLDER, STOCK_FOLDER } from '../places/layout.ts'
import type { ContentStore, StockEntry } from '../places/place.ts'
import type { Sealing } from './sealing.ts'
import { sendAndCompare } from './send-and-compare.ts'

const NOTE_FILE = `${STOCK_FOLDER}/${REREAD_NOTE_FILE}`

export function createBucketStock(files: BucketFiles, sealing: Sealing): ContentStore {
  const { suffix } = sealing
  const fileOf = (sha256: string) => `${STOCK_FOLDER}/${contentFolderOf(sha256)}/${sha256}${suffix}`
  const asideFileOf = (sha256: string) => `${STOCK_FOLDER}/${SET_ASIDE_FOLDER}/${sha256}${suffix}`

  /**
   * Yields the contents of the files whose names begin with `namePrefix`. `nameOf` gives the name of such a
   * file; files with other names are skipped.
   */
  async function* list(namePrefix: string, nameOf: (sha256: string) => string): AsyncGenerator<StockEntry> {
    for await (const { name, size } of files.list(`${STOCK_FOLDER}/${namePrefix}`)) {
      const sha256 = name.slice(name.lastIndexOf('/') + 1, name.length - suffix.length)
      if (isSha256(sha256) && name === nameOf(sha256)) yield { sha256, size: sealing.plainSize(size) }
    }
  }

  return {
    contents: (checksumPrefix = '') => streamBatches(list(checksumPrefix, fileOf)),
    async sizeOf(sha256) {
      const size = await files.size(fileOf(sha256))
      return size === null ? null : sealing.plainSize(size)
    },
    read: (sha256, offset = 0) =>
      suffix === ''
        ? files.read(fileOf(sha256), offset)
        : skipBytes(sealing.unseal(files.read(fileOf(sha256))), offset),
    put: ({ sha256, size }, content, options) =>
      sendAndCompare(files, sealing, fileOf(sha256), { content, size, sha256, ...options }),
    // An object store has no flush: every write that it has acknowledged is durable.
    flush: async () => {},

    async setAside(sha256) {
      if (await files.copy(fileOf(sha256), asideFileOf(sha256))) await files.remove([fileOf(sha256)])
    },
    async bringBack(sha256) {
      if ((await files.size(fileOf(sha256))) === null) await files.copy(asideFileOf(sha256), fileOf(sha256))
      await files.remove([asideFileOf(sha256)])
    },
    async listAside() {
      const entries = await Array.fromAsync(list(`${SET_ASIDE_FOLDER}/`, asideFileOf))
      return entries.map(({ sha256 }) => sha256)
    },
    removeAside: sha256 => files.remove([asideFileOf(sha256)]),

    async readNote() {
      if ((await files.size(NOTE_FILE)) === null) return null
      return Buffer.concat(await Array.fromAsync(files.read(NOTE_FILE))).toString()
    },
    writeNote: text => files.write(NOTE_FILE, bytesOf(text), Buffer.byteLength(text)),
  }
}

async function* skipBytes(content: AsyncIterable<Uint8Array>, count: number): AsyncGenerator<Uint8Array> {
  let bytesToSkip = count
  for await (const chunk of content) {
    if (bytesToSkip < chunk.length) yield chunk.subarray(bytesToSkip)
    bytesToSkip = Math.max(0, bytesToSkip - chunk.length)
  }
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}
