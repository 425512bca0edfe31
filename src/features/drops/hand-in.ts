/**
 * Stores the files that a visitor uploads. Each file is stored or refused by itself before the next one is
 * read, so a form with many files needs only as much staging space as a single file.
 */
import { NO_LIMITS } from '../../contract/accounts/token-limits.ts'
import { DROP_PAGE_WORDS } from '../../contract/files/drop-page.ts'
import { cleanPath } from '../../contract/paths/clean-path.ts'
import type { Kind } from '../../contract/paths/kinds.ts'
import { baseName, PATH_MAX_LENGTH, splitPath } from '../../contract/paths/paths.ts'
import { trimEndOf } from '../../contract/values/text.ts'
import { GIGABYTE } from '../../contract/values/units.ts'
import { Failure, failure } from '../../errors/errors.ts'
import type { Token } from '../../http/access/token.ts'
import { refuseEncoded, type SizeLimit } from '../../http/bodies/body.ts'
import { announcedDigests, checkDigests } from '../../http/bodies/digests.ts'
import { FORM_ALLOWANCE, missingFile, readForm } from '../../http/bodies/multipart.ts'
import type { IncomingRequest } from '../../http/server/http-server.ts'
import type { DiskSpace } from '../../storage/local/space.ts'
import type { FeatureParts } from '../feature.ts'
import { findByPath } from '../media/media.store.ts'
import { type ReceivedFile, receiveOrRefuse, uploadLimit } from '../upload/intake.ts'
import { typeOfPath } from '../upload/media-type.ts'
import type { Upload } from '../upload/upload.ts'
import { countFile, type DropRow, findDrop } from './drops.store.ts'

const FILE_FIELD = 'file'
/** Maximum number of files in one form. The page sends each file in a form of its own. */
const FORM_FILES = 100
/** Bytes of free disk space that uploads by visitors must leave for everything else. */
const KEPT_FREE = GIGABYTE

interface SentFile {
  name: string
  bytes: ReceivedFile | Failure
}

interface HandedIn {
  stored: { name: string; size: number }[]
  refused: { name: string; why: Failure }[]
}

interface HandInParts extends Pick<FeatureParts, 'database' | 'storage' | 'settings' | 'newId'> {
  upload: Upload
  space: () => Promise<DiskSpace | null>
}

export type HandIn = ReturnType<typeof createHandIn>

export function createHandIn(parts: HandInParts) {
  const { database, storage, settings, upload, space, newId } = parts
  const namesInUse = new Set<string>()

  /**
   * Finds a free path and reserves it until the result is disposed of, because phones name every picture
   * `image.jpg`.
   */
  async function reservePath(folder: string, name: string): Promise<{ path: string } & Disposable> {
    for (let attempt = 1; ; attempt++) {
      const path = numberedPath(folder, name, attempt <= PLAIN_NUMBERS ? attempt : randomNumber(newId))
      if (namesInUse.has(path) || (await findByPath(database.read, path))) continue
      namesInUse.add(path)
      return { path, [Symbol.dispose]: () => void namesInUse.delete(path) }
    }
  }

  async function store(link: DropRow, { name, bytes }: SentFile & { bytes: ReceivedFile }): Promise<void> {
    using reserved = await reservePath(link.folder, name)
    const { path } = reserved
    await upload.store(limitsOf(link), { ...bytes, filename: name, declaredType: '' }, async () => ({
      ...{ mime: typeOfPath(path), pathFor: () => path, overwrite: false, by: { drop: link.folder } },
      async inTransaction(tx) {
        if (await countFile(tx, link.key, bytes.size)) return
        throw (await findDrop(tx, link.key)) ? failure.dropFull(link.max_files) : failure.dropAbsent()
      },
    }))
  }

  return async (
    request: IncomingRequest,
    link: DropRow,
    onFile: (bytes: number) => void,
  ): Promise<HandedIn> => {
    refuseEncoded(request)
    if (link.files >= link.max_files) throw failure.dropFull(link.max_files)
    const left = (await space())?.free
    if (left !== undefined && left < KEPT_FREE) throw failure.storageFull('kept free from visitors')
    const limit = limitOf(link, uploadLimit(settings))
    const { stored, refused }: HandedIn = { stored: [], refused: [] }
    let waiting: SentFile | null = null

    async function settle(): Promise<void> {
      if (!waiting) return
      const { name, bytes } = waiting
      waiting = null
      onFile(bytes instanceof Failure ? limit.bytes : bytes.size)
      try {
        if (bytes instanceof Failure) throw bytes
        await store(link, { name, bytes })
        stored.push({ name, size: bytes.size })
      } catch (error) {
        if (!(error instanceof Failure) || error.status >= 500) throw error
        refused.push({
          name,
          why: error.code === 'kind-forbidden' ? failure.dropKindForbidden(namesOf(kindsOf(link)!)) : error,
        })
      }
    }

    try {
      const fields = await readForm(
        request,
        {
          wants: ({ field }) => field === FILE_FIELD,
          async receive({ filename }, source) {
            if (stored.length + refused.length + 1 >= FORM_FILES) throw failure.tooManyFiles(FORM_FILES)
            await settle()
            waiting = { name: baseName(filename), bytes: await receiveOrRefuse(storage, source, limit) }
          },
        },
        {
          most: { ...limit, bytes: FORM_FILES * limit.bytes + FORM_ALLOWANCE },
          isFileField: name => name === FILE_FIELD,
        },
      )
      const only = stored.length + refused.length === 0 ? (waiting as SentFile | null) : null
      if (!only && !waiting) throw missingFile(fields, FILE_FIELD)
      if (only && !(only.bytes instanceof Failure))
        checkDigests(announcedDigests(request.headers), only.bytes)
      await settle()
      return { stored, refused }
    } finally {
      const left = waiting as SentFile | null
      if (left && !(left.bytes instanceof Failure)) await left.bytes.staging.discard()
    }
  }
}

export const kindsOf = ({ kinds }: DropRow) => (kinds === null ? null : (JSON.parse(kinds) as Kind[]))

const namesOf = (kinds: readonly Kind[]) => kinds.map(kind => DROP_PAGE_WORDS.de.kindNames[kind])

/** The link's own limit if it is stricter than `MAX_UPLOAD_MB`. */
export const limitOf = ({ max_bytes }: DropRow, general: SizeLimit): SizeLimit =>
  max_bytes !== null && max_bytes < general.bytes
    ? { bytes: max_bytes, exceeded: () => failure.dropFileTooLarge(max_bytes) }
    : general

/** The limits of the link, in the shape of a token's limits. */
const limitsOf = (link: DropRow): Token => ({
  ...NO_LIMITS,
  id: `drop ${link.key}`,
  name: link.folder,
  maxFile: link.max_bytes,
  kinds: kindsOf(link),
})

/**
 * Number of numbers that are tried in order. Random ones follow, since the thousandth file of the same name
 * would cost many look-ups.
 */
const PLAIN_NUMBERS = 9
const RANDOM_DIGITS = 8
/** Length of the longest number with its dash. */
const NUMBER_LENGTH = RANDOM_DIGITS + 1

const randomNumber = (newId: FeatureParts['newId']) =>
  Number.parseInt(newId(RANDOM_DIGITS), 36) % 10 ** RANDOM_DIGITS

/** `Über uns.PNG` → `<folder>/ueber-uns.png`, then `<folder>/ueber-uns-2.png`. */
export function numberedPath(folder: string, name: string, number: number): string {
  const { stem, extension } = splitPath(cleanPath(name))
  const room = PATH_MAX_LENGTH - folder.length - extension.length - NUMBER_LENGTH - '/'.length
  const kept = trimEndOf(stem.slice(0, Math.max(room, 1)), '-.')
  return `${folder}/${kept}${number === 1 ? '' : `-${number}`}${extension}`
}
