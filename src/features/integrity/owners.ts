/** Rows that own objects, in the library and in the trash, page by page. */
import type { Database, Queries } from '../../database/database.ts'
import type { DerivedState, OwnerPlace } from '../../database/schema.ts'

export interface Owner {
  place: OwnerPlace
  nr: number
  id: string
  path: string
  object: string
  size: number
  sha256: string
  mime: string
  variant_size: number | null
  preview_size: number | null
  /** Of a file in the trash nothing is made any more. */
  derived: DerivedState
}

const COLUMNS = [
  'nr',
  'id',
  'path',
  'object',
  'size',
  'sha256',
  'mime',
  'variant_size',
  'preview_size',
] as const

const PAGE = 200

const inLibrary = (db: Queries) => db.selectFrom('media').select([...COLUMNS, 'derived'])
const inTrash = (db: Queries) => db.selectFrom('trash').select(COLUMNS)

/** Those with a higher number than `after`, by number. */
export async function ownersAfter(
  db: Queries,
  place: OwnerPlace,
  after: number,
  limit = PAGE,
): Promise<Owner[]> {
  if (place === 'media') {
    const rows = await inLibrary(db).where('nr', '>', after).orderBy('nr').limit(limit).execute()
    return rows.map(row => ({ ...row, place }))
  }
  const rows = await inTrash(db).where('nr', '>', after).orderBy('nr').limit(limit).execute()
  return rows.map(row => ({ ...row, place, derived: 'done' }))
}

/** By the id of its content; looks again in the library, since between two statements a file may be restored. */
export async function findOwner(db: Queries, id: string): Promise<Owner | null> {
  for (const place of ['media', 'trash', 'media'] as const) {
    const row =
      place === 'media'
        ? await inLibrary(db).where('id', '=', id).executeTakeFirst()
        : await inTrash(db).where('id', '=', id).executeTakeFirst()
    if (row) return { derived: 'done', ...row, place }
  }
  return null
}

export async function* walkOwners({ read }: Pick<Database, 'read'>): AsyncGenerator<Owner> {
  for (const place of ['media', 'trash'] as const) {
    for (let after = 0; ; ) {
      const rows = await ownersAfter(read, place, after)
      yield* rows
      if (rows.length < PAGE) break
      after = rows.at(-1)!.nr
    }
  }
}

export interface Amount {
  files: number
  bytes: number
}

/** How much there is to look at, out of the figures that the database keeps. */
export async function ownedAmount(db: Queries): Promise<Amount> {
  const library = await db
    .selectFrom('folder_usage')
    .select(({ fn }) => [
      fn.sum<number | string | null>('files').as('files'),
      fn.sum<number | string | null>('bytes').as('bytes'),
    ])
    .executeTakeFirstOrThrow()
  const trash = await db.selectFrom('trash_total').select(['files', 'bytes']).executeTakeFirstOrThrow()
  return {
    files: Number(library.files ?? 0) + Number(trash.files),
    bytes: Number(library.bytes ?? 0) + Number(trash.bytes),
  }
}
