/** Deletes a file for good, by its path or by the last of its upload ids. */

import { awaitAll } from '../../database/await-all.ts'
import type { Queries } from '../../database/database.ts'
import type { Actor } from '../../http/access/actor.ts'
import type { FeatureParts } from '../feature.ts'
import { recordHistory } from '../history/history.store.ts'
import { deleteFileDays } from '../retrievals/file-days.store.ts'
import type { Discards } from './discards.ts'
import { deleteRows, discardObjects, findByPath, type MediaRow, objectsOf } from './media.store.ts'
import { dropUploadIds, findByUploadId, removeUploadId } from './upload-ids.store.ts'

export interface FileRemover {
  /** Deletes a file for good, with derived files and all ids. False if there is no such file. */
  remove(path: string, actor: Actor): Promise<boolean>
  /**
   * Removes the id of an upload. If it was the last id of the file, the file is deleted as by `remove`. False
   * if no file in the library has this id. `check` throws if the file at this path must not be deleted.
   */
  removeId(id: string, actor: Actor, check: (path: string) => void): Promise<boolean>
}

interface FileRemoverParts extends Pick<FeatureParts, 'database' | 'now'> {
  discards: Discards
}

export function createFileRemover({ database, discards, now }: FileRemoverParts): FileRemover {
  async function remove(tx: Queries, row: MediaRow, actor: Actor): Promise<void> {
    await awaitAll(
      deleteRows(tx, [row]),
      deleteFileDays(tx, [row.nr]),
      discardObjects(tx, objectsOf(row), discards.dueAt()),
      dropUploadIds(tx, [row.id]),
      recordHistory(tx, actor, now(), [{ what: 'entfernt', path: row.path, bytes: row.size }]),
    )
  }

  async function runRemoval(removeInTransaction: (tx: Queries) => Promise<boolean>): Promise<boolean> {
    const isRemoved = await database.transaction(removeInTransaction)
    if (isRemoved) discards.kick()
    return isRemoved
  }

  return {
    remove: (path, actor) =>
      runRemoval(async tx => {
        const row = await findByPath(tx, path)
        if (row) await remove(tx, row, actor)
        return row !== null
      }),
    removeId: (id, actor, check) =>
      runRemoval(async tx => {
        const row = await findByUploadId(tx, id)
        if (!row) return false
        check(row.path)
        if (!(await removeUploadId(tx, row.id, id))) await remove(tx, row, actor)
        return true
      }),
  }
}
