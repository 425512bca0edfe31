/**
 * The rules of the compatibility routes: which kinds of files a route accepts, and at which paths they are
 * stored.
 */

import { DEFAULT_PREFIX } from '../../contract/accounts/tokens.ts'
import { kindOf } from '../../contract/paths/kinds.ts'
import {
  baseName,
  cleanGeneratedName,
  lowerCaseAscii,
  PATH_MAX_LENGTH,
  splitPath,
} from '../../contract/paths/paths.ts'
import { COMPAT_HASH_LENGTH, COMPAT_KINDS, type CompatKind } from '../../contract/upload/compat.ts'
import type { Database } from '../../database/database.ts'
import { failure } from '../../errors/errors.ts'
import type { Token } from '../../http/access/token.ts'
import { checkDigests, type Digest } from '../../http/bodies/digests.ts'
import { checkValidPath } from '../../http/path-check.ts'
import { findByPath } from '../media/media.store.ts'
import type { ReceivedUpload, Upload } from '../upload/upload.ts'
import type { DetectType } from './detect-type.ts'

interface CompatOptions {
  /** The kind that a file must have; null: any. */
  kind: CompatKind | null
  /** The form field `filename`, from which the stored name is made. */
  filename: string
  /** The form field `path`, a folder below the token's prefix. */
  folder: string
  /**
   * The digests that the client announced for the file. The bytes must match them as received, before
   * downscaling or removal of metadata.
   */
  digests: readonly Digest[]
}

export type StoreCompat = ReturnType<typeof createStoreCompat>

interface CompatParts {
  database: Database
  upload: Upload
  detectType: DetectType
}

export function createStoreCompat({ database, upload, detectType }: CompatParts) {
  const hashAt = async (path: string) => (await findByPath(database.read, path))?.sha256 ?? null

  /** Stores a received file. Once this has resolved or rejected, the bytes are stored or discarded. */
  return (token: Token, options: CompatOptions, receivedUpload: ReceivedUpload) =>
    upload.store(token, receivedUpload, async () => {
      checkDigests(options.digests, receivedUpload)
      const folder = folderFor(token, options.folder)
      const { mime, extension } = await detectType(receivedUpload, options.filename, token.id)
      if (options.kind && kindOf(mime) !== COMPAT_KINDS[options.kind]) {
        throw failure.kindUnfit(COMPAT_KINDS[options.kind], kindOf(mime), mime)
      }
      const nameParts = { folder, filename: options.filename, extension }
      const pathFor = (sha256: string) => pathForContent(nameParts, sha256, hashAt)
      return { mime, pathFor, overwrite: 'equal' }
    })
}

/**
 * The folder for a file, with a final slash. The prefix is used as it is in the token; the folder that the
 * client sent is lower-cased.
 */
function folderFor(token: Token, sentFolder: string): string {
  const prefix = token.prefix ?? DEFAULT_PREFIX
  const folder = lowerCaseAscii(sentFolder.replace(/^\//, '').replace(/\/$/, ''))
  if (folder === '') return prefix
  checkValidPath(folder)
  return `${prefix}${folder}/`
}

interface NameParts {
  folder: string
  /** The client's name; may be empty. */
  filename: string
  extension: string
}

/**
 * The path for a file with the hash `sha256`. The name contains the first characters of the hash, so equal
 * contents with equal names get the same path. If a file with another hash has this path, more characters are
 * used. A path with the whole hash is returned even if it is taken. `hashAt` returns the hash of the file at
 * a path; null if there is none.
 */
export async function pathForContent(
  nameParts: NameParts,
  sha256: string,
  hashAt: (path: string) => Promise<string | null>,
): Promise<string> {
  for (let hashLength = COMPAT_HASH_LENGTH; ; hashLength++) {
    const hash = sha256.slice(0, hashLength)
    const path = `${nameParts.folder}${stemFor(nameParts, hashLength)}${hash}.${nameParts.extension}`
    const existingHash = await hashAt(path)
    if (existingHash === null || existingHash === sha256 || hashLength === sha256.length) return path
  }
}

/**
 * The start of the stored name: `Mein Bild.png` → `mein-bild-`; empty if no usable character is left. The
 * service chooses the name, so the name that the client sent is cleaned and not refused.
 */
function stemFor({ folder, filename, extension }: NameParts, hashLength: number): string {
  const maxStemLength = PATH_MAX_LENGTH - folder.length - extension.length - hashLength - '-.'.length
  const stem = cleanGeneratedName(splitPath(baseName(filename)).stem, maxStemLength)
  return stem === '' ? '' : `${stem}-`
}
