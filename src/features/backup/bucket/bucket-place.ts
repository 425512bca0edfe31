/**
 * A backup target that is a bucket of an S3-compatible store, laid out like a target folder. With a password,
 * archives and contents are encrypted, and their names end in `.age`. Contents are still named by the
 * checksums of their plain bytes. So, as in a folder, name and size show whether the target has a content.
 *
 * A store shows only complete files, but cannot rename them: a file gets its name before it is read back and
 * compared, and is removed if it differs. If a crash prevents the comparison, a later run reads the file
 * again (`rereading.ts`).
 */
import { createHash } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { generateX25519Identity } from 'age-encryption'
import { inBatches } from '../../../base/batches.ts'
import { isSystemError } from '../../../base/error-code.ts'
import type { NewId } from '../../../base/ids.ts'
import { DAY, MINUTE, SECOND } from '../../../contract/values/units.ts'
import { archiveTrouble, BackupTrouble, backupTrouble } from '../../../errors/errors.ts'
import { longPath } from '../../../storage/local/platform.ts'
import { type BucketFiles, createBucketFiles } from '../../../storage/s3/bucket-files.ts'
import { createS3Requests, type RequestLimits } from '../../../storage/s3/requests.ts'
import { StorageFullError, StorageUnavailableError } from '../../../storage/storage.ts'
import { createAppender } from '../archive/append.ts'
import { newestFirst, parseArchiveName } from '../archive/archive-name.ts'
import { contentOf, openArchive } from '../archive/archive-reader.ts'
import {
  ContentDiffers,
  type ContentSource,
  type FoundArchive,
  type OperationOptions,
  type Place,
  type StockEntry,
} from '../places/place.ts'
import { digestOf } from '../places/write-and-compare.ts'
import { type BucketTarget, bucketName, isComplete } from './bucket-target.ts'
import { openSealing } from './open-sealing.ts'
import { createSealing, NO_SEALING, type Sealing } from './sealing.ts'

export interface BucketPlaceParts {
  target: BucketTarget
  /** The local folder for a temporary copy of an archive while the archive is read. */
  scratch: string
  newId: NewId
  now: () => number
  signal?: AbortSignal
  limits?: RequestLimits
  /** Whether to create the key if an encrypted bucket has none yet. */
  createKey: boolean
  keySettlingTime?: number
}

const STOCK_FOLDER = 'bestand/'
const SET_ASIDE_FOLDER = `${STOCK_FOLDER}weg/`
const REREAD_NOTE_FILE = `${STOCK_FOLDER}geprueft.json`
const PROBE_FILE = 'probe'
/**
 * Age in milliseconds at which the next run removes an unfinished upload. It is long because a backup run may
 * take some days.
 */
const RESUMABLE_TIME = 3 * DAY

/**
 * The default limits, for long operations such as backups and restores. Requests are repeated for about 15
 * minutes, so that a short outage does not make them fail.
 */
const DEFAULT_LIMITS: RequestLimits = {
  ...{ answerTimeout: MINUTE, totalTimeout: 15 * MINUTE, idleTimeout: MINUTE },
  retryPauses: [
    ...[1, 2, 5, 10, 30].map(seconds => seconds * SECOND),
    ...Array.from({ length: 14 }, () => MINUTE),
  ],
}

/** Limits, in milliseconds, for pages and health checks, which must be answered within seconds. */
const PAGE_LIMITS: RequestLimits = {
  answerTimeout: 3_000,
  totalTimeout: 4_000,
  idleTimeout: 3_000,
  retryPauses: [200],
}

/**
 * Opens the bucket as a target. Rejects with `BackupTrouble` if its settings are incomplete, `openSealing`
 * refuses the password, or the store cannot be used. Every operation of the returned target also rejects with
 * `BackupTrouble` if the store cannot be used.
 */
export async function openBucketPlace(parts: BucketPlaceParts): Promise<Place> {
  const { target, now, signal, limits = DEFAULT_LIMITS } = parts
  const name = bucketName(target)
  if (!isComplete(target)) throw backupTrouble.bucketIncomplete(name)
  const files = createBucketFiles(createS3Requests(target, limits, now, signal), target)
  const sealing = await withReadableError(name, () =>
    openSealing(files, { ...target, ...parts, targetName: name }),
  )
  return placeWithReadableErrors(name, createPlace(parts, name, files, sealing))
}

function createPlace(
  { scratch, newId, now }: BucketPlaceParts,
  name: string,
  files: BucketFiles,
  sealing: Sealing,
): Place {
  const { suffix } = sealing
  const fileOf = (sha256: string) => `${STOCK_FOLDER}${sha256.slice(0, 2)}/${sha256}${suffix}`
  const asideFileOf = (sha256: string) => `${SET_ASIDE_FOLDER}${sha256}${suffix}`
  const plainSizeOf = async (file: string) => {
    const size = await files.size(file)
    return size === null ? null : sealing.plainSize(size)
  }

  /**
   * Sends content, reads it back and compares it. Rejects with `ContentDiffers` if the content does not have
   * the checksum `sha256` (if given), or, after removing the file, if the stored bytes differ.
   */
  async function store(
    file: string,
    { size, sha256 }: { size: number; sha256?: string },
    content: ContentSource,
    options: OperationOptions,
  ): Promise<void> {
    let sentSha256 = ''
    const checkedChunks = checkedContent(content(), sha256, options, checksum => {
      sentSha256 = checksum
    })
    await files.write(file, sealing.seal(checkedChunks), sealing.sealedSize(size), sealing.isDeterministic)
    const storedDigest = await digestOf(sealing.unseal(files.read(file)), options).catch(error => {
      if (isStoreError(error)) throw error
      options.signal.throwIfAborted()
      // The stored bytes cannot be decrypted, so they are not the ones that were sent.
      return { sha256: '', size: 0 }
    })
    if (storedDigest.sha256 === sentSha256) return
    await files.remove([file])
    throw new ContentDiffers('target', storedDigest)
  }

  return {
    name,
    async prepare() {
      await files.removeUnfinished(now() - RESUMABLE_TIME)
    },
    freeBytes: async () => null,

    archives: () => archivesIn(files, sealing),
    async openArchive(archive) {
      const file = join(scratch, `archiv-${newId()}`)
      const removeFile = () => rm(longPath(file), { force: true })
      try {
        // If there is no such archive, `openArchive` below rejects with the same error as in a folder.
        if ((await files.size(archive + suffix)) !== null) {
          await using handle = await open(longPath(file), 'wx', 0o600)
          const appender = createAppender(handle)
          for await (const chunk of sealing.unseal(files.read(archive + suffix))) await appender.append(chunk)
          await appender.writeBuffer()
        }
        const openedArchive = await openArchive(file)
        const dispose = async () => {
          await openedArchive[Symbol.asyncDispose]()
          await removeFile()
        }
        return { ...openedArchive, [Symbol.asyncDispose]: dispose }
      } catch (error) {
        await removeFile()
        const isKnownError = isStoreError(error) || error instanceof BackupTrouble || isSystemError(error)
        // Any other error means that the key does not decrypt these bytes.
        throw isKnownError ? error : archiveTrouble.broken(archive)
      }
    },
    putArchive: (archive, { size, newReader }, options) =>
      store(archive + suffix, { size }, () => contentOf(newReader(), { start: 0, size }), options),
    removeArchives: names => files.remove(names.map(archive => archive + suffix)),

    async *contents(checksumPrefix = '') {
      const entries = (async function* (): AsyncGenerator<StockEntry> {
        for await (const { name: file, size } of files.list(STOCK_FOLDER + checksumPrefix)) {
          const sha256 = STOCK_FILE_NAME.exec(file)?.[1]
          if (sha256 && file === fileOf(sha256)) yield { sha256, size: sealing.plainSize(size) }
        }
      })()
      yield* inBatches(entries)
    },
    sizeOf: sha256 => plainSizeOf(fileOf(sha256)),
    read: (sha256, offset = 0) =>
      suffix === ''
        ? files.read(fileOf(sha256), offset)
        : skipBytes(sealing.unseal(files.read(fileOf(sha256))), offset),
    put: (entry, content, options) => store(fileOf(entry.sha256), entry, content, options),
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
      const listedFiles = await Array.fromAsync(files.list(SET_ASIDE_FOLDER))
      return listedFiles.flatMap(({ name: file }) => {
        const sha256 = file.slice(SET_ASIDE_FOLDER.length, file.length - suffix.length)
        return file === asideFileOf(sha256) ? [sha256] : []
      })
    },
    removeAside: sha256 => files.remove([asideFileOf(sha256)]),

    async readNote() {
      if ((await files.size(REREAD_NOTE_FILE)) === null) return null
      return Buffer.concat(await Array.fromAsync(files.read(REREAD_NOTE_FILE))).toString()
    },
    writeNote: text => files.write(REREAD_NOTE_FILE, bytesOf(text), Buffer.byteLength(text)),
  }
}

/** Tests the bucket. Rejects with `BackupTrouble` if no backup could be stored in it. */
export async function probeBucket(target: BucketTarget, now: () => number): Promise<void> {
  const name = bucketName(target)
  if (!isComplete(target)) throw backupTrouble.bucketIncomplete(name)
  const files = createBucketFiles(createS3Requests(target, PAGE_LIMITS, now), target)
  await withReadableError(name, async () => {
    await openSealing(files, { ...target, targetName: name, createKey: false })
    await files.write(PROBE_FILE, bytesOf('fundus'), 'fundus'.length)
    await files.remove([PROBE_FILE])
  })
}

/**
 * Lists the archives in the bucket, newest first, for pages and checks. Does not open the key: the length of
 * an encrypted file is the same for every key, so a newly generated key is enough to compute the plain
 * lengths.
 */
export async function archivesAt(target: BucketTarget, now: () => number): Promise<FoundArchive[]> {
  const files = createBucketFiles(createS3Requests(target, PAGE_LIMITS, now), target)
  const sealing = target.password === '' ? NO_SEALING : await createSealing(await generateX25519Identity())
  return archivesIn(files, sealing)
}

/** Lists the archives, newest first. */
async function archivesIn(files: BucketFiles, { suffix, plainSize }: Sealing): Promise<FoundArchive[]> {
  const archives: FoundArchive[] = []
  for await (const { name, size } of files.list('fundus-')) {
    const parsedName = name.endsWith(suffix)
      ? parseArchiveName(name.slice(0, name.length - suffix.length))
      : null
    if (parsedName) archives.push({ ...parsedName, bytes: plainSize(size) })
  }
  return archives.sort(newestFirst)
}

const STOCK_FILE_NAME = /^bestand\/[0-9a-f]{2}\/([0-9a-f]{64})/

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

/**
 * Yields the content, then calls `onChecksum` with its checksum. If `expectedSha256` is given and differs
 * from the checksum, throws instead, so that the upload is not completed.
 */
async function* checkedContent(
  content: AsyncIterable<Uint8Array>,
  expectedSha256: string | undefined,
  { signal, onBytes }: OperationOptions,
  onChecksum: (sha256: string) => void,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of content) {
    signal.throwIfAborted()
    hash.update(chunk)
    size += chunk.length
    onBytes(chunk.length)
    yield chunk
  }
  const sha256 = hash.digest('hex')
  if (expectedSha256 !== undefined && sha256 !== expectedSha256)
    throw new ContentDiffers('source', { sha256, size })
  onChecksum(sha256)
}

async function* skipBytes(content: AsyncIterable<Uint8Array>, count: number): AsyncGenerator<Uint8Array> {
  let bytesToSkip = count
  for await (const chunk of content) {
    if (bytesToSkip < chunk.length) yield chunk.subarray(bytesToSkip)
    bytesToSkip = Math.max(0, bytesToSkip - chunk.length)
  }
}

const isStoreError = (error: unknown) =>
  error instanceof StorageUnavailableError || error instanceof StorageFullError

async function withReadableError<T>(targetName: string, operation: () => Promise<T>): Promise<T> {
  try {
    return await operation()
  } catch (error) {
    throw isStoreError(error) ? backupTrouble.bucketUnusable(targetName, error) : error
  }
}

/**
 * Wraps the target, so that its operations, and the streams that they return, throw `BackupTrouble` for
 * errors of the store.
 */
function placeWithReadableErrors(targetName: string, place: Place): Place {
  const asTrouble = (error: unknown) =>
    isStoreError(error) ? backupTrouble.bucketUnusable(targetName, error) : error
  async function* stream<T>(chunks: AsyncIterable<T>): AsyncGenerator<T> {
    try {
      yield* chunks
    } catch (error) {
      throw asTrouble(error)
    }
  }
  return new Proxy(place, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        const result: unknown = value(...args)
        return result instanceof Promise
          ? result.catch(error => Promise.reject(asTrouble(error)))
          : stream(result as AsyncIterable<unknown>)
      }
    },
  })
}
