/**
 * Finds files that lack a derived file which they could have. A derived file is lacking if the row of the
 * file is `pending`, if its recorded object is missing or has another size, or if none is recorded and the
 * current encoder has not tried to make it. A preview also counts as lacking if the dimensions of the file
 * are not recorded and the current encoder has not tried to make the preview. Files whose original is missing
 * are skipped, unless they are pending.
 */

import { pace } from '../../base/pace.ts'
import { countRows } from '../../database/count-rows.ts'
import type { Database } from '../../database/database.ts'
import type { Images } from '../../images/images.ts'
import {
  DERIVATIONS,
  DERIVED_COLUMNS,
  DERIVED_PARTS,
  type DerivedPart,
  ENCODER_COLUMNS,
  encoderColumn,
  mayHavePart,
  sizeColumn,
} from '../../storage/derived-parts.ts'
import type { FeatureParts } from '../feature.ts'
import type { MediaRow } from '../media/media.store.ts'
import { hasDerivedPart } from '../previews/remake.ts'

export type RoundTask = 'thumbs' | 'webp'

export const PARTS_BY_TASK: Readonly<Record<RoundTask, readonly DerivedPart[]>> = {
  thumbs: DERIVED_PARTS.filter(part => DERIVATIONS[part].scaling),
  webp: ['variant'],
}
const kindsOf = (task: RoundTask) => PARTS_BY_TASK[task].flatMap(part => DERIVATIONS[part].kinds)

const PAGE_SIZE = 500

export interface LackingFiles {
  files: { nr: number; isPending: boolean }[]
  /** All files up to this `nr` have been examined. */
  examinedUpTo: number
  /** True if no file is left to examine. */
  isEnd: boolean
}

export interface FindLackingLimits {
  maxFiles: number
  /** Called before each further page of rows; false ends the search. */
  mayContinue: () => boolean
}

const COLUMNS = ['nr', 'mime', 'object', 'derived', 'width', ...DERIVED_COLUMNS, ...ENCODER_COLUMNS] as const

export interface FindLackingParts extends Pick<FeatureParts, 'database' | 'storage'> {
  encoderName: Images['encoder']
}

export function createLackingFilesFinder({ database, storage, encoderName }: FindLackingParts) {
  type Row = Pick<MediaRow, (typeof COLUMNS)[number]>

  async function lacksPart(row: Row, part: DerivedPart): Promise<boolean> {
    if (!mayHavePart(part, row.mime)) return false
    if (row.derived === 'pending') return true
    const wasAttempted = row[encoderColumn(part)] === encoderName(part, row.mime)
    // After a rebuild from disk, previews exist but the dimensions are not recorded.
    const isMeasured = wasAttempted || !DERIVATIONS[part].scaling || row.width !== null
    const isSettled =
      row[sizeColumn(part)] === null ? wasAttempted : isMeasured && (await hasDerivedPart(storage, row, part))
    // If the original is lost, nothing can be made from it.
    return !isSettled && (await storage.measure(row.object)) !== null
  }

  /**
   * Examines files with a higher number than `afterNr`, until `maxFiles` of them lack a derived file,
   * `mayContinue` returns false, or all files were examined.
   */
  return async function findLacking(
    task: RoundTask,
    afterNr: number,
    { maxFiles, mayContinue }: FindLackingLimits,
  ): Promise<LackingFiles> {
    const lackingFiles: LackingFiles['files'] = []
    for (let position = afterNr; ; ) {
      const rows = await database.read
        .selectFrom('media')
        .select(COLUMNS)
        .where('nr', '>', position)
        .where('kind', 'in', kindsOf(task))
        .orderBy('nr')
        .limit(PAGE_SIZE)
        .execute()
      for (const row of rows) {
        if (lackingFiles.length >= maxFiles)
          return { files: lackingFiles, examinedUpTo: position, isEnd: false }
        const lackingFlags = await Promise.all(PARTS_BY_TASK[task].map(part => lacksPart(row, part)))
        if (lackingFlags.includes(true))
          lackingFiles.push({ nr: row.nr, isPending: row.derived === 'pending' })
        position = row.nr
        await pace()
      }
      if (rows.length < PAGE_SIZE) return { files: lackingFiles, examinedUpTo: position, isEnd: true }
      if (!mayContinue()) return { files: lackingFiles, examinedUpTo: position, isEnd: false }
    }
  }
}

export type FindLackingFiles = ReturnType<typeof createLackingFilesFinder>

/**
 * Number of files of the task's kinds with a higher number than `afterNr`: an upper bound for those that lack
 * a derived file.
 */
export const countUnexaminedFiles = ({ slowRead }: Database, task: RoundTask, afterNr: number) =>
  countRows(slowRead.selectFrom('media').where('nr', '>', afterNr).where('kind', 'in', kindsOf(task)))
