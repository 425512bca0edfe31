/** The rules of `/api/upload`: a file gets the path and type that its client wants, or generated ones. */

import { DEFAULT_PREFIX } from '../../contract/accounts/tokens.ts'
import { isMediaType, kindOf } from '../../contract/paths/kinds.ts'
import type { Database } from '../../database/database.ts'
import { failure } from '../../errors/errors.ts'
import type { Token } from '../../http/access/callers.ts'
import { findByPath } from '../media/media.store.ts'
import type { Deposit, DepositedFile, ReceivedUpload } from './deposit.ts'
import { extensionFor, typeOfExtension, typeOfPath } from './media-type.ts'
import { checkPath, requireKind } from './token-limits.ts'

/** What the client wants; path and type are null when the client did not give them. */
export interface UploadOrder {
  path: string | null
  mime: string | null
  overwrite: boolean
}

export interface Upload {
  /** Refuses everything that can be refused before the body is read. */
  admit(token: Token, order: UploadOrder): Promise<void>
  /** When this call ends, also with an error, the received bytes are stored or discarded. */
  store(token: Token, order: UploadOrder, received: ReceivedUpload): Promise<DepositedFile>
}

/** Characters of the hash in a generated path. */
const HASH_CHARACTERS = 32

export function createUpload({ database, deposit }: { database: Database; deposit: Deposit }): Upload {
  return {
    async admit(token, { path, mime, overwrite }) {
      if (mime !== null && !isMediaType(mime)) throw failure.mimeInvalid()
      if (path === null) return
      checkPath(token, path)
      if (token.kinds) requireKind(token, kindOf(mime ?? typeOfPath(path)))
      if (!overwrite && (await findByPath(database.read, path))) throw failure.pathTaken(path)
    },

    async store(token, { path, mime, overwrite }, received) {
      if (path !== null) {
        return deposit.store(token, received, {
          mime: mime ?? typeOfPath(path),
          pathFor: () => path,
          overwrite,
        })
      }
      // The path is built from the content, so that the address cannot be guessed and equal files get the
      // same path.
      const extension = await extensionFor({ ...received, mime })
      const pathFor = (sha256: string) =>
        `${token.prefix ?? DEFAULT_PREFIX}${sha256.slice(0, HASH_CHARACTERS)}.${extension}`
      return deposit.store(token, received, { mime: mime ?? typeOfExtension(extension), pathFor, overwrite })
    },
  }
}
