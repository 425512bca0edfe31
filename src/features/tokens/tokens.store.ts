/**
 * Reads and writes the rows of tokens; also reads the number and total bytes of the files stored with each.
 */
import type { Selectable, Updateable } from 'kysely'
import { type LimitFields, type LimitKind, TOKEN_LIMITS } from '../../contract/accounts/token-limits.ts'
import type { TokenPatch } from '../../contract/accounts/tokens.ts'
import { KINDS, type Kind } from '../../contract/paths/kinds.ts'
import { compileOnce } from '../../database/compile-once.ts'
import type { Queries } from '../../database/database.ts'
import type { TokenTable } from '../../database/schema.ts'
import type { Token } from '../../http/access/actor.ts'

export type TokenRow = Selectable<TokenTable>

/** A token with the number and total bytes of its files, which the database keeps up to date. */
export type TokenRowWithUsage = TokenRow & { files: number; bytes: number }

export async function insertToken(tx: Queries, row: TokenRow): Promise<void> {
  await tx.insertInto('token').values(row).execute()
}

export async function updateToken(tx: Queries, id: string, patch: TokenPatch): Promise<void> {
  const columns = columnsOf(patch)
  if (Object.keys(columns).length > 0)
    await tx.updateTable('token').set(columns).where('id', '=', id).execute()
}

export async function deleteToken(tx: Queries, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('token').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}

const selectTokensWithUsage = (db: Queries) =>
  db
    .selectFrom('token')
    .leftJoin('token_usage', 'token_usage.token_id', 'token.id')
    .selectAll('token')
    .select(({ fn, val }) => [
      fn.coalesce('token_usage.files', val(0)).as('files'),
      fn.coalesce('token_usage.bytes', val(0)).as('bytes'),
    ])

export async function listTokens(db: Queries): Promise<TokenRowWithUsage[]> {
  return selectTokensWithUsage(db).orderBy('created_at', 'desc').orderBy('id').execute()
}

export async function findTokenById(db: Queries, id: string): Promise<TokenRowWithUsage | null> {
  return (await selectTokensWithUsage(db).where('token.id', '=', id).executeTakeFirst()) ?? null
}

const selectByHash = compileOnce((db, { hash }: { hash: string }) =>
  db.selectFrom('token').selectAll().where('hash', '=', hash),
)

export async function findTokenByHash(db: Queries, hash: string): Promise<TokenRow | null> {
  return (await selectByHash(db, { hash }))[0] ?? null
}

export async function usageOf(db: Queries, tokenId: string): Promise<{ files: number; bytes: number }> {
  const usage = await db
    .selectFrom('token_usage')
    .select(['files', 'bytes'])
    .where('token_id', '=', tokenId)
    .executeTakeFirst()
  return usage ?? { files: 0, bytes: 0 }
}

/** The columns to write for a patch. A field that is absent from the patch has no column in the result. */
export function columnsOf({ name, ...limits }: TokenPatch): Updateable<TokenTable> {
  const changedLimits = TOKEN_LIMITS.filter(({ wireName }) => limits[wireName] !== undefined)
  return {
    ...(name !== undefined && { name }),
    ...Object.fromEntries(
      changedLimits.map(({ wireName, column, kind }) => [column, toColumn(kind, limits[wireName])]),
    ),
  }
}

export function tokenFromRow(row: TokenRow): Token {
  const limitEntries = TOKEN_LIMITS.map(({ field, column, kind }) => [field, fromColumn(kind, row[column])])
  return { id: row.id, name: row.name, ...(Object.fromEntries(limitEntries) as LimitFields) }
}

function toColumn(kind: LimitKind, value: unknown) {
  if (kind === 'right') return Number(value ?? false)
  if (value === null) return null
  if (kind === 'choice') return Number(value)
  return kind === 'kinds' ? JSON.stringify(value) : value
}

function fromColumn(kind: LimitKind, value: string | number | null) {
  if (kind === 'right') return value === 1
  if (value === null) return null
  if (kind === 'choice') return value === 1
  return kind === 'kinds' ? parseKinds(String(value)) : value
}

function parseKinds(kindsJson: string): Kind[] {
  const storedKinds: unknown[] = JSON.parse(kindsJson)
  return KINDS.filter(kind => storedKinds.includes(kind))
}
