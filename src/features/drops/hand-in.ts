/**
 * Stores the files that a visitor uploads. Each file is stored or refused by itself before the next one is
 * read, so a form with many files needs only as much staging space as a single file.
 */
import { NO_LIMITS } from '../../contract/accounts/token-limits.ts'
import { DROP_PAGE_TEXTS } from '../../contract/files/drop-page.ts'
import { cleanPath } from '../../contract/paths/clean-path.ts'
import type { Kind } from '../../contract/paths/kinds.ts'
import { baseName, splitPath } from '../../contract/paths/path-parts.ts'
import { PATH_MAX_LENGTH } from '../../contract/paths/path-rules.ts'
import { trimTrailing } from '../../contract/values/text.ts'
import { GIGABYTE } from '../../contract/values/units.ts'
import { Failure, failure } from '../../errors/errors.ts'
import type { Token } from '../../http/access/actor.ts'
import type { SizeLimit } from '../../http/bodies/body.ts'
import { refuseEncodedBody } from '../../http/bodies/content-encoding.ts'
import { announcedDigests, checkDigests } from '../../http/bodies/digests.ts'
import { FILE_FIELD, MAX_FORM_OVERHEAD, missingFileFailure, readForm } from '../../http/bodies/multipart.ts'
import type { IncomingRequest } from '../../http/server/http-server.ts'
import type { DiskSpace } from '../../storage/local/space.ts'
import type { FeatureParts } from '../feature.ts'
import { findByPath } from '../media/media.store.ts'
import { type ReceivedFile, receiveOrRefuse } from '../upload/receive-bytes.ts'
import { uploadLimit } from '../upload/size-limit.ts'
import { typeOfPath } from '../upload/type-lookup.ts'
import type { Upload } from '../upload/upload.ts'
import { type DropRow, findDrop, recordHandedInFile } from './drops.store.ts'

/** Maximum number of files in one form. The page sends each file in a form of its own. */
const MAX_FORM_FILES = 100
/**
 * While fewer bytes than this are free on the disk, uploads by visitors are refused, so that the other
 * functions of the service can still write.
 */
const RESERVED_BYTES = GIGABYTE

interface SentFile {
  name: string
  receiveResult: ReceivedFile | Failure
}

interface HandInOutcome {
  storedFiles: { name: string; size: number }[]
  refusedFiles: { name: string; reason: Failure }[]
}

interface HandInParts extends Pick<FeatureParts, 'database' | 'storage' | 'settings' | 'newId'> {
  upload: Upload
  space: () => Promise<DiskSpace | null>
}

export type HandIn = ReturnType<typeof createHandIn>

export function createHandIn(parts: HandInParts) {
  const { database, storage, settings, upload, space, newId } = parts
  const reservedPaths = new Set<string>()

  /**
   * Finds a free path and reserves it in this process until the result is disposed of. If the path is taken,
   * a number is appended, since many phones name every picture `image.jpg`.
   */
  async function reservePath(folder: string, name: string): Promise<{ path: string } & Disposable> {
    for (let attempt = 1; ; attempt++) {
      const path = numberedPath(folder, name, attempt <= SEQUENTIAL_ATTEMPTS ? attempt : randomNumber(newId))
      if (reservedPaths.has(path) || (await findByPath(database.read, path))) continue
      reservedPaths.add(path)
      return { path, [Symbol.dispose]: () => void reservedPaths.delete(path) }
    }
  }

  async function store(link: DropRow, name: string, receivedFile: ReceivedFile): Promise<void> {
    using reservation = await reservePath(link.folder, name)
    const { path } = reservation
    await upload.store(
      tokenForLink(link),
      { ...receivedFile, filename: name, declaredType: '' },
      async () => ({
        mime: typeOfPath(path),
        pathFor: () => path,
        overwrite: false,
        actor: { drop: link.folder },
        async transactionHook(tx) {
          if (await recordHandedInFile(tx, link.key, receivedFile.size)) return
          throw (await findDrop(tx, link.key)) ? failure.dropFull(link.max_files) : failure.dropAbsent()
        },
      }),
    )
  }

  return async (
    request: IncomingRequest,
    link: DropRow,
    onFile: (bytes: number) => void,
  ): Promise<HandInOutcome> => {
    refuseEncodedBody(request)
    if (link.files >= link.max_files) throw failure.dropFull(link.max_files)
    const freeBytes = (await space())?.free
    if (freeBytes !== undefined && freeBytes < RESERVED_BYTES)
      throw failure.storageFull('kept free from visitors')
    const limit = sizeLimitOf(link, uploadLimit(settings))
    const { storedFiles, refusedFiles }: HandInOutcome = { storedFiles: [], refusedFiles: [] }
    let pendingFile: SentFile | null = null

    async function storePending(): Promise<void> {
      if (!pendingFile) return
      const { name, receiveResult } = pendingFile
      pendingFile = null
      onFile(receiveResult instanceof Failure ? limit.bytes : receiveResult.size)
      try {
        if (receiveResult instanceof Failure) throw receiveResult
        await store(link, name, receiveResult)
        storedFiles.push({ name, size: receiveResult.size })
      } catch (error) {
        if (!(error instanceof Failure) || error.status >= 500) throw error
        refusedFiles.push({
          name,
          reason:
            error.code === 'kind-forbidden'
              ? failure.dropKindForbidden(kindNamesOf(allowedKindsOf(link)!))
              : error,
        })
      }
    }

    try {
      const fields = await readForm(
        request,
        {
          wants: ({ field }) => field === FILE_FIELD,
          async receive({ filename }, source) {
            if (storedFiles.length + refusedFiles.length + 1 >= MAX_FORM_FILES)
              throw failure.tooManyFiles(MAX_FORM_FILES)
            await storePending()
            pendingFile = {
              name: baseName(filename),
              receiveResult: await receiveOrRefuse(storage, source, limit),
            }
          },
        },
        {
          sizeLimit: { ...limit, bytes: MAX_FORM_FILES * limit.bytes + MAX_FORM_OVERHEAD },
          isFileField: name => name === FILE_FIELD,
        },
      )
      const onlyFile =
        storedFiles.length + refusedFiles.length === 0 ? (pendingFile as SentFile | null) : null
      if (!onlyFile && !pendingFile) throw missingFileFailure(fields, FILE_FIELD)
      if (onlyFile && !(onlyFile.receiveResult instanceof Failure))
        checkDigests(announcedDigests(request.headers), onlyFile.receiveResult)
      await storePending()
      return { storedFiles, refusedFiles }
    } finally {
      const unstoredFile = pendingFile as SentFile | null
      if (unstoredFile && !(unstoredFile.receiveResult instanceof Failure))
        await unstoredFile.receiveResult.staging.discard()
    }
  }
}

export const allowedKindsOf = ({ kinds }: DropRow) => (kinds === null ? null : (JSON.parse(kinds) as Kind[]))

const kindNamesOf = (kinds: readonly Kind[]) => kinds.map(kind => DROP_PAGE_TEXTS.de.kindNames[kind])

/** The size limit of each file: that of the link if it is stricter than the general one (`MAX_UPLOAD_MB`). */
export const sizeLimitOf = ({ max_bytes }: DropRow, generalLimit: SizeLimit): SizeLimit =>
  max_bytes !== null && max_bytes < generalLimit.bytes
    ? { bytes: max_bytes, createError: () => failure.dropFileTooLarge(max_bytes) }
    : generalLimit

/** A token with the limits of the link, because `upload.store` expects a token. */
const tokenForLink = (link: DropRow): Token => ({
  ...NO_LIMITS,
  id: `drop ${link.key}`,
  name: link.folder,
  maxFile: link.max_bytes,
  kinds: allowedKindsOf(link),
})

/**
 * Number of paths that are tried in order: the one without a number, then those with the numbers 2, 3 and so
 * on. After that, random numbers are tried: otherwise the thousandth file of the same name would cost a
 * thousand look-ups.
 */
const SEQUENTIAL_ATTEMPTS = 9
const RANDOM_DIGIT_COUNT = 8
/** Maximum number of characters that a number and its dash add to a name. */
const NUMBER_SUFFIX_LENGTH = RANDOM_DIGIT_COUNT + 1

const randomNumber = (newId: FeatureParts['newId']) =>
  Number.parseInt(newId(RANDOM_DIGIT_COUNT), 36) % 10 ** RANDOM_DIGIT_COUNT

/** `Über uns.PNG` becomes `<folder>/ueber-uns.png`, or with the number 2 `<folder>/ueber-uns-2.png`. */
export function numberedPath(folder: string, name: string, number: number): string {
  const { stem, extension } = splitPath(cleanPath(name))
  const maxStemLength = PATH_MAX_LENGTH - folder.length - extension.length - NUMBER_SUFFIX_LENGTH - '/'.length
  const shortStem = trimTrailing(stem.slice(0, Math.max(maxStemLength, 1)), '-.')
  return `${folder}/${shortStem}${number === 1 ? '' : `-${number}`}${extension}`
}
