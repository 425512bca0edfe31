/** Tokens: made once in clear text, stored as a hash, checked at every call. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Kind } from '../../contract/kinds.ts'
import { type NewToken, TOKEN_PREFIX, type TokenPatch } from '../../contract/tokens.ts'
import type { Database } from '../../database/database.ts'
import { failure } from '../../errors.ts'
import type { NewId } from '../../ids.ts'
import type { LastUsed } from './last-used.ts'
import * as store from './tokens.store.ts'

/** A token as those see it who act for it. */
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

/** A token as those see it who look after it. */
export interface TokenRecord extends Token {
  createdAt: number
  usedAt: number | null
  /** What is stored with it now. */
  files: number
  bytes: number
}

export interface Tokens {
  /** The clear text is in the answer, and nowhere afterwards. */
  create(limits: NewToken): Promise<{ token: TokenRecord; clearText: string }>
  /** The token behind a clear text; rejects with 401 when it is unknown or expired. */
  authenticate(clearText: string | null): Promise<Token>
  list(): Promise<TokenRecord[]>
  /** These reject with 404 when there is no such token. */
  get(id: string): Promise<TokenRecord>
  change(id: string, patch: TokenPatch): Promise<TokenRecord>
  /** The files that were stored with it stay. */
  withdraw(id: string): Promise<void>
}

export interface TokensParts {
  database: Database
  lastUsed: LastUsed
  newId: NewId
  now: () => number
}

const SECRET_BYTES = 32

const UNLIMITED = {
  praefix: null,
  darf_loeschen: null,
  max_datei: null,
  kontingent: null,
  arten: null,
  gueltig_bis: null,
  max_kante: null,
}

export function createTokens({ database, lastUsed, newId, now }: TokensParts): Tokens {
  const recordOf = (row: store.TokenRowWithUsage): TokenRecord => ({
    ...store.fromRow(row),
    createdAt: row.created_at,
    usedAt: lastUsed.pending(row.id) ?? row.used_at,
    files: row.files,
    bytes: row.bytes,
  })

  async function get(id: string): Promise<TokenRecord> {
    const row = await store.findTokenById(database.read, id)
    if (!row) throw failure.tokenAbsent()
    return recordOf(row)
  }

  return {
    get,

    async create(limits) {
      const clearText = TOKEN_PREFIX + randomBytes(SECRET_BYTES).toString('base64url')
      const id = newId()
      const row = {
        ...store.columnsOf({ ...UNLIMITED, ...limits }),
        id,
        hash: hashOf(clearText),
      } as store.TokenRow
      await database.transaction(tx => store.insertToken(tx, { ...row, created_at: now(), used_at: null }))
      return { token: await get(id), clearText }
    },

    async authenticate(clearText) {
      if (!clearText?.startsWith(TOKEN_PREFIX)) throw failure.tokenMissing()
      const hash = hashOf(clearText)
      const row = await store.findTokenByHash(database.read, hash)
      // The look-up goes by a hash that the caller cannot steer; the comparison keeps its timing flat all the same.
      if (!row || !timingSafeEqual(Buffer.from(row.hash), Buffer.from(hash))) throw failure.tokenMissing()
      if (row.valid_until !== null && now() >= row.valid_until) throw failure.tokenExpired(row.valid_until)
      lastUsed.note(row.id)
      return store.fromRow(row)
    },

    list: async () => (await store.listTokens(database.read)).map(recordOf),

    async change(id, patch) {
      if (!(await database.transaction(tx => store.updateToken(tx, id, patch)))) throw failure.tokenAbsent()
      return get(id)
    },

    async withdraw(id) {
      if (!(await database.transaction(tx => store.deleteToken(tx, id)))) throw failure.tokenAbsent()
    },
  }
}

/** Plain SHA-256: the secret is 256 random bits, so there is nothing a slow hash would protect. */
function hashOf(clearText: string): string {
  return createHash('sha256').update(clearText).digest('hex')
}
