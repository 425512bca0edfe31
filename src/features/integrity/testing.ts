/** For tests: an instance with files that a test can corrupt. */
import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { newId } from '../../base/ids.ts'
import { objectName, trashObjectName } from '../../storage/names.ts'
import { openInstance } from '../../testing/instance.ts'
import { findByPath, putRow } from '../media/media.store.ts'
import { moveToTrash } from '../trash/move-to-trash.ts'

export type IntegrityInstance = Awaited<ReturnType<typeof openIntegrityInstance>>

export async function openIntegrityInstance() {
  const instance = await openInstance({ level: 'error' })
  const { at, storage, database } = instance
  const messages: string[] = []

  async function store(path: string, content: string | Uint8Array, mime = 'text/plain') {
    const id = newId()
    const object = objectName(path, id)
    // Writes the file directly, because the store would flush each file to disk, which is slow.
    await mkdir(dirname(at(object)), { recursive: true })
    await writeFile(at(object), content)
    const nr = await database.transaction(tx =>
      putRow(tx, {
        id,
        path,
        object,
        mime,
        size: content.length,
        derived: 'done',
        token_id: null,
        kind: mime.startsWith('image/') ? 'bilder' : 'dokumente',
        sha256: createHash('sha256').update(content).digest('hex'),
        created_at: 1,
        updated_at: 1,
      }),
    )
    return { nr, id, object }
  }

  return {
    ...instance,
    messages,
    notify: {
      async queue(_occasion: string, text: string) {
        messages.push(text)
      },
    },
    store,
    /** Changes the first byte of an object; its length stays the same. */
    async corrupt(object: string) {
      const bytes = await readFile(at(object))
      bytes[0] = bytes[0]! ^ 1
      await writeFile(at(object), bytes)
    },
    /** Moves a file and its object to the trash. */
    async moveFileToTrash(path: string) {
      const row = (await findByPath(database.read, path))!
      await database.transaction(tx => moveToTrash(tx, [row], 'service', { at: 1, action: 'a' }))
      const { nr } = await database.read
        .selectFrom('trash')
        .select('nr')
        .where('id', '=', row.id)
        .executeTakeFirstOrThrow()
      const object = trashObjectName(nr, path, row.id, 'abcdef')
      await storage.relocate(row.object, object)
      await storage.remove(row.object)
      await database.transaction(tx => tx.updateTable('trash').set({ object }).where('nr', '=', nr).execute())
      return { nr, object }
    },
  }
}
