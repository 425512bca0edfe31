/** Tokens: made once in clear text, stored as a hash, checked at every call. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Kind } from '../../contract/kinds.ts'
import { type NewToken, TOKEN_PREFIX } from '../../contract/tokens.ts'
import type { Database } from '../../database/database.ts'
import { failure } from '../../errors.ts'
import type { NewId } from '../../ids.ts'
import { findTokenByHash, insertToken } from './tokens.store.ts'

export interface Token {
  id: string
  name: string
  /** With its final `/`; null: everywhere. */
  prefix: string | null
  mayDelete: boolean
  maxFile: number | null
  quota: number | null
  kinds: readonly Kind[] | null
  validUntil: number | null
  maxEdge: number | null
}

export interface Tokens {
  /** The clear text is in the answer, and nowhere afterwards. */
  create(limits: NewToken): Promise<{ token: Token; clearText: string }>
  /** The token behind a clear text; rejects with 401 when it is unknown or expired. */
  authenticate(clearText: string | null): Promise<Token>
}

export interface TokensParts {
  database: Database
  newId: NewId
  now: () => number
}

const SECRET_BYTES = 32

export function createTokens({ database, newId, now }: TokensParts): Tokens {
  return {
    async create(limits) {
      const clearText = TOKEN_PREFIX + randomBytes(SECRET_BYTES).toString('base64url')
      const token: Token = {
        id: newId(),
        name: limits.name,
        prefix: limits.praefix,
        mayDelete: limits.darf_loeschen,
        maxFile: limits.max_datei,
        quota: limits.kontingent,
        kinds: limits.arten,
        validUntil: limits.gueltig_bis,
        maxEdge: limits.max_kante,
      }
      await database.transaction(tx => insertToken(tx, token, hashOf(clearText), now()))
      return { token, clearText }
    },

    async authenticate(clearText) {
      if (!clearText?.startsWith(TOKEN_PREFIX)) throw failure.tokenMissing()
      const hash = hashOf(clearText)
      const found = await findTokenByHash(database.read, hash)
      // The look-up goes by a hash that the caller cannot steer; the comparison keeps its timing flat all the same.
      if (!found || !timingSafeEqual(Buffer.from(found.hash), Buffer.from(hash))) throw failure.tokenMissing()
      const { token } = found
      if (token.validUntil !== null && now() >= token.validUntil) throw failure.tokenExpired(token.validUntil)
      return token
    },
  }
}

/** Plain SHA-256: the secret is 256 random bits, so there is nothing a slow hash would protect. */
function hashOf(clearText: string): string {
  return createHash('sha256').update(clearText).digest('hex')
}
