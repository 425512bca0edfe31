/** The rules of an upload: who may store what, where; then the file is stored. */
import { MEGABYTE } from '../../contract/bytes.ts'
import { kindOf } from '../../contract/kinds.ts'
import { isBelow, pathProblem } from '../../contract/paths.ts'
import { DEFAULT_PREFIX } from '../../contract/tokens.ts'
import type { Database } from '../../database/database.ts'
import { failure } from '../../errors.ts'
import type { Storage } from '../../storage/storage.ts'
import { findByPath } from '../media/media.store.ts'
import type { Media, StoredFile } from '../media/media.ts'
import type { Settings } from '../settings/settings.ts'
import type { Token } from '../tokens/tokens.ts'
import { type ReceivedFile, receive, type SizeLimit } from './intake.ts'
import { extensionFor, isMediaType, typeOfPath } from './media-type.ts'

/** What the client wants, as far as it said so. */
export interface UploadOrder {
  path: string | null
  mime: string | null
  overwrite: boolean
}

/** What came with the bytes. */
export interface UploadSource {
  bytes: AsyncIterable<Uint8Array>
  filename: string
  declaredType: string
}

export interface Upload {
  /** Everything that can be refused before the body is read. */
  admit(token: Token, order: UploadOrder): Promise<void>
  limitFor(token: Token): SizeLimit
  receive(token: Token, source: UploadSource): Promise<ReceivedUpload>
  /** Ends with the received bytes stored or discarded. */
  store(token: Token, order: UploadOrder, received: ReceivedUpload): Promise<StoredFile>
}

export interface ReceivedUpload extends ReceivedFile {
  filename: string
  declaredType: string
}

/** Characters of the hash in a path that was not given. */
const HASH_CHARACTERS = 32

export interface UploadParts {
  database: Database
  storage: Storage
  media: Media
  settings: Settings
}

export function createUpload({ database, storage, media, settings }: UploadParts): Upload {
  function limitFor(token: Token): SizeLimit {
    const general = Math.floor(settings.current().MAX_UPLOAD_MB * MEGABYTE)
    return token.maxFile !== null && token.maxFile < general
      ? { bytes: token.maxFile, exceeded: () => failure.tokenFileTooLarge(token.maxFile!) }
      : { bytes: general, exceeded: () => failure.uploadTooLarge(general) }
  }

  return {
    limitFor,

    async admit(token, order) {
      if (order.mime !== null && !isMediaType(order.mime)) throw failure.mimeInvalid()
      if (order.path === null) return
      checkTarget(token, order.path, order.mime ?? typeOfPath(order.path))
      if (!order.overwrite && (await findByPath(database.read, order.path)))
        throw failure.pathTaken(order.path)
    },

    async receive(token, { bytes, filename, declaredType }) {
      return { ...(await receive(storage, bytes, limitFor(token))), filename, declaredType }
    },

    async store(token, order, received) {
      try {
        const path = order.path ?? (await generatedPath(token, order, received))
        const mime = order.mime ?? typeOfPath(path)
        checkTarget(token, path, mime)
        const { staging, size, sha256 } = received
        return await media.store({
          path,
          mime,
          staging,
          size,
          sha256,
          tokenId: token.id,
          overwrite: order.overwrite,
        })
      } finally {
        await received.staging.discard()
      }
    },
  }
}

function checkTarget(token: Token, path: string, mime: string): void {
  const problem = pathProblem(path)
  if (problem) throw failure.pathInvalid(problem)
  if (token.prefix !== null && !isBelow(path, token.prefix)) throw failure.prefixForbidden(token.prefix)
  const kind = kindOf(mime)
  if (token.kinds && !token.kinds.includes(kind)) throw failure.kindForbidden(kind, token.kinds)
}

/** Built from the content, so that the address cannot be guessed and equal files meet. */
async function generatedPath(token: Token, order: UploadOrder, received: ReceivedUpload): Promise<string> {
  const extension = await extensionFor({ ...received, mime: order.mime })
  return `${token.prefix ?? DEFAULT_PREFIX}${received.sha256.slice(0, HASH_CHARACTERS)}.${extension}`
}
