/** A real store and a real database in a temporary folder, with files whose bytes a test can spoil. */
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openSqlite } from '../../../database/sqlite.ts'
import { newId } from '../../../ids.ts'
import { createDiskStorage } from '../../../storage/disk.ts'
import { objectName, trashName } from '../../../storage/names.ts'
import { findByPath, putRow } from '../../media/media.store.ts'
import { moveToTrash } from '../../trash/trash.store.ts'

export type World = Awaited<ReturnType<typeof openWorld>>

export async function openWorld() {
  const root = await mkdtemp(join(tmpdir(), 'fundus-integrity-'))
  const storage = await createDiskStorage({ root, newId })
  const database = await openSqlite({ file: join(root, 'fundus.db') })
  const told: string[] = []
  const at = (object: string) => join(root, object)

  async function store(path: string, content: string | Uint8Array, mime = 'text/plain') {
    const id = newId()
    const object = objectName(path, id)
    // Not through the store, which flushes each of them.
    await mkdir(dirname(at(object)), { recursive: true })
    await writeFile(at(object), content)
    const nr = await database.transaction(tx =>
      putRow(tx, {
        ...{ id, path, object, mime, size: content.length, derived: 'done', token_id: null },
        kind: mime.startsWith('image/') ? 'bilder' : 'dokumente',
        sha256: createHash('sha256').update(content).digest('hex'),
        ...{ created_at: 1, updated_at: 1 },
      }),
    )
    return { nr, id, object }
  }

  return {
    root,
    at,
    storage,
    database,
    told,
    notify: {
      async tell(_occasion: string, text: string) {
        told.push(text)
      },
    },
    store,
    /** The bytes go bad without a change of length. */
    async rot(object: string) {
      const bytes = await readFile(at(object))
      bytes[0] = bytes[0]! ^ 1
      await writeFile(at(object), bytes)
    },
    /** Into the trash, with its object. */
    async throwAway(path: string) {
      const row = (await findByPath(database.read, path))!
      await database.transaction(tx => moveToTrash(tx, [row], 'service', 1))
      const { nr } = await database.read
        .selectFrom('trash')
        .select('nr')
        .where('id', '=', row.id)
        .executeTakeFirstOrThrow()
      const object = trashName(nr, path, row.id, 'abcdef')
      await storage.relocate(row.object, object)
      await storage.remove(row.object)
      await database.transaction(tx => tx.updateTable('trash').set({ object }).where('nr', '=', nr).execute())
      return { nr, object }
    },
    async [Symbol.asyncDispose]() {
      await database.close()
      await rm(root, { recursive: true, force: true })
    },
  }
}
