/** Checks the token of a request: it must be known, and must not have expired. */
import { sha256 } from '../../base/hash/sha256.ts'
import { TOKEN_PREFIX } from '../../contract/accounts/tokens.ts'
import type { Database, DatabaseState } from '../../database/database.ts'
import { failure } from '../../errors/errors.ts'
import type { LastUseRecorder } from './last-used.ts'
import { findTokenByHash, findTokenById, type TokenRow, tokenFromRow } from './tokens.store.ts'

interface TokenCheckParts {
  database: Database
  lastUsed: LastUseRecorder
  now: () => number
}

export function createTokenCheck({ database, lastUsed, now }: TokenCheckParts) {
  const findByHash = createFindByHash(database)
  const hasExpired = (row: TokenRow): row is TokenRow & { valid_until: number } =>
    row.valid_until !== null && now() >= row.valid_until

  return {
    /** Rejects with 401 if the token is missing, unknown or expired. */
    async authenticate(clearText: string | null) {
      const row = clearText?.startsWith(TOKEN_PREFIX) ? await findByHash(hashOf(clearText)) : null
      if (!row) throw failure.tokenMissing()
      if (hasExpired(row)) throw failure.tokenExpired(row.valid_until)
      lastUsed.noteUse(row.id)
      return tokenFromRow(row)
    },

    /** Finds the token of a ticket that is being used; null if the token was withdrawn or has expired. */
    async findValid(id: string) {
      const row = await findTokenById(database.read, id)
      if (!row || hasExpired(row)) return null
      lastUsed.noteUse(id)
      return tokenFromRow(row)
    },
  }
}

/**
 * Returns a function that finds a token by its hash. It remembers rows until this process learns that the
 * database has changed, because a busy client sends the same token again and again.
 */
function createFindByHash(database: Database): (hash: string) => Promise<TokenRow | null> {
  const cachedRows = new Map<string, TokenRow>()
  let cachedState: DatabaseState | null = null
  return async hash => {
    const state = database.knownState()
    if (state !== cachedState) cachedRows.clear()
    cachedState = state
    const cachedRow = cachedRows.get(hash)
    if (cachedRow) return cachedRow
    const row = await findTokenByHash(database.read, hash)
    // A row that was read before a change must not be cached for the state after the change.
    if (row && cachedState === state) cachedRows.set(hash, row)
    return row
  }
}

/**
 * Plain SHA-256: 256 random bits need no slow hash. A caller cannot control the hash of a guess, so the
 * duration of a lookup by hash reveals nothing useful.
 */
export const hashOf = (clearText: string) => sha256(clearText)
