/**
 * Lists files with equal contents, and moves all but one of each group to the trash, in steps of one
 * transaction each. In the history, one request is one action, which can be undone as a whole.
 */
import { batches } from '../../base/batches.ts'
import { LONG_TRANSACTION, pace } from '../../base/pace.ts'
import { duplicateDetail } from '../../contract/files/history-details.ts'
import { RESULT_MAX_FILES } from '../../contract/values/input-limits.ts'
import type { Queries } from '../../database/database.ts'
import { readHighestRowNumber } from '../../database/highest-number.ts'
import { failure } from '../../errors/errors.ts'
import type { Actor } from '../../http/access/actor.ts'
import type { FileChangeParts } from '../library/change/change-files.ts'
import { findByPath, type MediaRow } from '../media/media.store.ts'
import { moveToTrash } from '../trash/move-to-trash.ts'
import { countEqualFiles, otherEqualFiles, readFirstFiles, readGroupPage } from './duplicates.store.ts'

/** Maximum number of files per step; such a step takes about a tenth of a second. */
const FILES_PER_STEP = 1000

/** Which file of a group to keep, and how many files the group had when the client read it. */
export interface KeepRequest {
  sha256: string
  path: string
  files: number
}

export type Duplicates = ReturnType<typeof createDuplicates>

export function createDuplicates({ database, now, newId, retrievals, onChanged }: FileChangeParts) {
  const { slowRead: db, queryTraits } = database

  /** Finds the files to keep. All groups are checked before any file is removed. */
  async function findKeptFiles(groups: readonly KeepRequest[]): Promise<MediaRow[]> {
    const keptFiles: MediaRow[] = []
    let surplusCount = 0
    for (const group of groups) {
      const file = await findByPath(db, group.path)
      if (file?.sha256 !== group.sha256) throw failure.fileAbsent()
      const equalCount = await countEqualFiles(db, file)
      if (equalCount !== group.files) throw failure.resultChanged(equalCount, group.files)
      surplusCount += equalCount - 1
      keptFiles.push(file)
    }
    if (surplusCount > RESULT_MAX_FILES) throw failure.resultTooLarge(RESULT_MAX_FILES)
    return keptFiles
  }

  /**
   * Moves at most `FILES_PER_STEP` files equal to `keptFile` to the trash; none if `keptFile` itself was
   * changed, moved or deleted meanwhile.
   */
  async function runRemovalStep(
    tx: Queries,
    keptFile: MediaRow,
    { maxNr, ...context }: { by: Actor; at: number; action: string; maxNr: number },
  ): Promise<MediaRow[]> {
    const file = await findByPath(tx, keptFile.path)
    if (file?.id !== keptFile.id) return []
    const rows = await otherEqualFiles(tx, keptFile, { maxNr, limit: FILES_PER_STEP })
    const details = duplicateDetail(keptFile.path)
    for (const batch of batches(rows, queryTraits.rowsPerStatement)) {
      await moveToTrash(tx, batch, context.by, { ...context, details })
      await pace()
    }
    return rows
  }

  return {
    async list(page: { offset: number; limit: number }) {
      await retrievals.flush()
      const foundPage = await readGroupPage(db, page)
      return { ...foundPage, files: await readFirstFiles(db, foundPage.groups) }
    },

    async keep(groups: readonly KeepRequest[], actor: Actor) {
      const keptFiles = await findKeptFiles(groups)
      const context = {
        by: actor,
        at: now(),
        action: newId(),
        maxNr: await readHighestRowNumber(db, 'media'),
      }
      let [movedCount, movedBytes] = [0, 0]
      for (const file of keptFiles) {
        let movedRows: MediaRow[]
        do {
          movedRows = await database.transaction(tx => runRemovalStep(tx, file, context), LONG_TRANSACTION)
          onChanged()
          movedCount += movedRows.length
          movedBytes += movedRows.length * file.size
        } while (movedRows.length === FILES_PER_STEP)
      }
      return { files: movedCount, bytes: movedBytes, action: context.action }
    },
  }
}
