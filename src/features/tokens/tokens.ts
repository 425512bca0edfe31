/**
 * Lets operators list, create, change and withdraw tokens. The clear text of a token is shown only once, when
 * it is created; only its hash is stored.
 */
import { randomBytes } from 'node:crypto'
import {
  byLimitName,
  type LimitFields,
  type LimitKind,
  TOKEN_LIMITS,
} from '../../contract/accounts/token-limits.ts'
import { type NewToken, TOKEN_PREFIX, type TokenPatch } from '../../contract/accounts/tokens.ts'
import { failure } from '../../errors/errors.ts'
import type { Actor, Token } from '../../http/access/actor.ts'
import type { FeatureParts } from '../feature.ts'
import { recordAdministration } from '../history/administration.store.ts'
import { createTokenCheck, hashOf } from './authenticate.ts'
import type { LastUseRecorder } from './last-used.ts'
import * as store from './tokens.store.ts'

/** A token with the data that operators see in the dashboard. */
export interface TokenRecord extends Token {
  createdAt: number
  usedAt: number | null
  /** Number and total bytes of the files in the library that were stored with the token. */
  files: number
  bytes: number
}

export type Tokens = ReturnType<typeof createTokens>

interface TokensParts extends Pick<FeatureParts, 'database' | 'newId' | 'now'> {
  lastUsed: LastUseRecorder
}

const SECRET_BYTES = 32

const NO_LIMITS = byLimitName(() => null)

export function createTokens({ database, lastUsed, newId, now }: TokensParts) {
  const recordOf = (row: store.TokenRowWithUsage) => tokenRecordOf(row, lastUsed.pendingNote(row.id))

  /** `get`, `change` and `withdraw` reject with 404 for an unknown token. */
  async function get(id: string): Promise<TokenRecord> {
    const row = await store.findTokenById(database.read, id)
    if (!row) throw failure.tokenAbsent()
    return recordOf(row)
  }

  return {
    ...createTokenCheck({ database, lastUsed, now }),
    get,

    /**
     * Creates a token. The result is the only place where its clear text appears. Here, in `change` and in
     * `withdraw`, the history names `actor` as the one who made the change; the default is the operator of
     * the service.
     */
    async create(newToken: NewToken, actor: Actor = 'operator') {
      const clearText = TOKEN_PREFIX + randomBytes(SECRET_BYTES).toString('base64url')
      const id = newId()
      const row = {
        ...store.columnsOf({ ...NO_LIMITS, ...newToken }),
        id,
        hash: hashOf(clearText),
      } as store.TokenRow
      await database.transaction(async tx => {
        await store.insertToken(tx, { ...row, created_at: now(), used_at: null })
        await recordAdministration(tx, actor, now(), {
          what: 'token_erstellt',
          old: null,
          new: tokenText(row),
        })
      })
      return { token: await get(id), clearText }
    },

    list: async () => (await store.listTokens(database.read)).map(recordOf),

    async change(id: string, patch: TokenPatch, actor: Actor = 'operator') {
      await database.transaction(async tx => {
        const oldRow = await store.findTokenById(tx, id)
        await store.updateToken(tx, id, patch)
        const newRow = await store.findTokenById(tx, id)
        if (!oldRow || !newRow) throw failure.tokenAbsent()
        const entry = { what: 'token_geaendert', old: tokenText(oldRow), new: tokenText(newRow) } as const
        if (!Bun.deepEquals(store.tokenFromRow(oldRow), store.tokenFromRow(newRow)))
          await recordAdministration(tx, actor, now(), entry)
      })
      return get(id)
    },

    /** Withdraws a token; its files are kept. */
    async withdraw(id: string, actor: Actor = 'operator') {
      await database.transaction(async tx => {
        const row = await store.findTokenById(tx, id)
        if (!row || !(await store.deleteToken(tx, id))) throw failure.tokenAbsent()
        await recordAdministration(tx, actor, now(), { what: 'token_widerrufen', old: row.name, new: null })
      })
    },
  }
}

/** `usedAt`: the time of a last use that is not in the database yet. */
const tokenRecordOf = (row: store.TokenRowWithUsage, usedAt: number | undefined): TokenRecord => ({
  ...store.tokenFromRow(row),
  createdAt: row.created_at,
  usedAt: usedAt ?? row.used_at,
  files: row.files,
  bytes: row.bytes,
})

/**
 * The name and the limits of a token, as text for the history. Of the row it reads only the name and the
 * fields in `TOKEN_LIMITS`, so the text never contains the hash.
 */
function tokenText(row: store.TokenRow): string {
  const token = store.tokenFromRow(row)
  const limits = TOKEN_LIMITS.flatMap(({ wireName, field, kind }) => {
    const value = limitText(kind, token[field])
    return value === null ? [] : [`${wireName}=${value}`]
  })
  return [row.name, ...limits].join(' ')
}

function limitText(kind: LimitKind, value: LimitFields[keyof LimitFields]): string | null {
  if (value === null) return null
  if (kind === 'right') return value ? 'true' : null
  if (kind === 'choice') return value ? 'ja' : 'nein'
  return kind === 'time' ? new Date(Number(value)).toISOString() : String(value)
}
