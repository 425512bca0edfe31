/** Rows of tokens, and how many files and bytes are stored with each token. */
import type { Selectable, Updateable } from 'kysely'
import type { TokenPatch } from '../../contract/accounts/tokens.ts'
import { KINDS, type Kind } from '../../contract/paths/kinds.ts'
import type { Queries } from '../../database/database.ts'
import { keptQuery } from '../../database/kept-query.ts'
import type { TokenTable } from '../../database/schema.ts'
import type { Token } from '../../http/access/callers.ts'

export type TokenRow = Selectable<TokenTable>

/**
 * A token's row with the number and size of the files stored with the token; the database keeps both figures.
 */
export type TokenRowWithUsage = TokenRow & { files: number; bytes: number }

export async function insertToken(tx: Queries, row: TokenRow): Promise<void> {
  await tx.insertInto('token').values(row).execute()
}

export async function updateToken(tx: Queries, id: string, patch: TokenPatch): Promise<void> {
  const values = columnsOf(patch)
  if (Object.keys(values).length > 0) await tx.updateTable('token').set(values).where('id', '=', id).execute()
}

export async function deleteToken(tx: Queries, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('token').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}

const withUsage = (db: Queries) =>
  db
    .selectFrom('token')
    .leftJoin('token_usage', 'token_usage.token_id', 'token.id')
    .selectAll('token')
    .select(({ fn, val }) => [
      fn.coalesce('token_usage.files', val(0)).as('files'),
      fn.coalesce('token_usage.bytes', val(0)).as('bytes'),
    ])

export async function listTokens(db: Queries): Promise<TokenRowWithUsage[]> {
  return withUsage(db).orderBy('created_at', 'desc').orderBy('id').execute()
}

export async function findTokenById(db: Queries, id: string): Promise<TokenRowWithUsage | null> {
  return (await withUsage(db).where('token.id', '=', id).executeTakeFirst()) ?? null
}

const selectByHash = keptQuery((db, { hash }: { hash: string }) =>
  db.selectFrom('token').selectAll().where('hash', '=', hash),
)

export async function findTokenByHash(db: Queries, hash: string): Promise<TokenRow | null> {
  return (await selectByHash(db, { hash }))[0] ?? null
}

/** Files and bytes stored with a token. */
export async function usageOf(db: Queries, tokenId: string): Promise<{ files: number; bytes: number }> {
  const usage = await db
    .selectFrom('token_usage')
    .select(['files', 'bytes'])
    .where('token_id', '=', tokenId)
    .executeTakeFirst()
  return usage ?? { files: 0, bytes: 0 }
}

/** The columns that a patch sets. A field that is absent from the patch is absent from the columns too. */
export function columnsOf(patch: TokenPatch): Updateable<TokenTable> {
  const {
    name,
    praefix,
    darf_loeschen,
    max_datei,
    kontingent,
    arten,
    gueltig_bis,
    max_kante,
    exif_entfernen,
  } = patch
  return {
    ...(name !== undefined && { name }),
    ...(praefix !== undefined && { prefix: praefix }),
    ...(darf_loeschen !== undefined && { may_delete: Number(darf_loeschen ?? false) }),
    ...(max_datei !== undefined && { max_file: max_datei }),
    ...(kontingent !== undefined && { quota: kontingent }),
    ...(arten !== undefined && { kinds: arten && JSON.stringify(arten) }),
    ...(gueltig_bis !== undefined && { valid_until: gueltig_bis }),
    ...(max_kante !== undefined && { max_edge: max_kante }),
    ...(exif_entfernen !== undefined && {
      strip_metadata: exif_entfernen === null ? null : Number(exif_entfernen),
    }),
  }
}

export function fromRow(row: TokenRow): Token {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    mayDelete: row.may_delete === 1,
    maxFile: row.max_file,
    quota: row.quota,
    kinds: kindsOf(row),
    validUntil: row.valid_until,
    maxEdge: row.max_edge,
    stripMetadata: row.strip_metadata === null ? null : row.strip_metadata === 1,
  }
}

function kindsOf({ kinds }: TokenRow): Kind[] | null {
  if (kinds === null) return null
  const allowed: unknown[] = JSON.parse(kinds)
  return KINDS.filter(kind => allowed.includes(kind))
}
