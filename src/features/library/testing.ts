/** For tests: an instance whose file rows need no objects. */
import type { Insertable } from 'kysely'
import type { MediaTable } from '../../database/schema.ts'
import { openInstance } from '../../testing/instance.ts'
import { putRow } from '../media/media.store.ts'

export type LibraryInstance = Awaited<ReturnType<typeof openLibraryInstance>>

export async function openLibraryInstance() {
  const instance = await openInstance()
  const { database } = instance
  let idCount = 0
  /**
   * The columns of a file row. The id stays the same when the file is moved, so a test recognises the file by
   * it.
   */
  const row = (path: string, columns: Partial<Insertable<MediaTable>> = {}): Insertable<MediaTable> => ({
    id: `id${++idCount}`,
    path,
    object: `files/${path}~id${idCount}`,
    size: 1,
    sha256: 'f'.repeat(64),
    mime: 'image/png',
    kind: 'bilder',
    token_id: null,
    created_at: 1,
    updated_at: 1,
    derived: 'done',
    ...columns,
  })
  return {
    ...instance,
    row,
    add: (...rows: Insertable<MediaTable>[]) =>
      database.transaction(async tx => {
        for (const insertedRow of rows) await putRow(tx, insertedRow)
      }),
    clear: () =>
      database.transaction(async tx => {
        for (const table of ['media', 'relocation', 'history', 'trash'] as const)
          await tx.deleteFrom(table).execute()
      }),
    /** Maps the path of each file to its content id. */
    async contents(): Promise<Map<string, string>> {
      const rows = await database.read.selectFrom('media').select(['path', 'id']).orderBy('path').execute()
      return new Map(rows.map(({ path, id }) => [path, id]))
    },
  }
}
