import type { Selectable } from 'kysely'
import { KINDS, type Kind } from '../../contract/kinds.ts'
import type { Queries } from '../../database/database.ts'
import type { TokenTable } from '../../database/schema.ts'
import type { Token } from './tokens.ts'

export async function insertToken(tx: Queries, token: Token, hash: string, now: number): Promise<void> {
  await tx
    .insertInto('token')
    .values({
      id: token.id,
      name: token.name,
      hash,
      prefix: token.prefix,
      may_delete: Number(token.mayDelete),
      max_file: token.maxFile,
      quota: token.quota,
      kinds: token.kinds && JSON.stringify(token.kinds),
      valid_until: token.validUntil,
      max_edge: token.maxEdge,
      created_at: now,
      used_at: null,
    })
    .execute()
}

export async function findTokenByHash(
  read: Queries,
  hash: string,
): Promise<{ token: Token; hash: string } | null> {
  const row = await read.selectFrom('token').selectAll().where('hash', '=', hash).executeTakeFirst()
  return row ? { token: fromRow(row), hash: row.hash } : null
}

function fromRow(row: Selectable<TokenTable>): Token {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    mayDelete: row.may_delete === 1,
    maxFile: row.max_file,
    quota: row.quota,
    kinds:
      row.kinds === null ? null : KINDS.filter(kind => (JSON.parse(row.kinds!) as Kind[]).includes(kind)),
    validUntil: row.valid_until,
    maxEdge: row.max_edge,
  }
}
