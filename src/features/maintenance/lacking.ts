/** Finds files that lack a derived file they could have: it was never attempted, or its object is missing. */

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
  mayHave,
  sizeColumn,
} from '../../storage/derived-parts.ts'
import type { FeatureParts } from '../feature.ts'
import type { MediaRow } from '../media/media.store.ts'
import { hasPart } from '../previews/remake.ts'

export type RoundTask = 'thumbs' | 'webp'

export const PARTS_OF: Readonly<Record<RoundTask, readonly DerivedPart[]>> = {
  thumbs: DERIVED_PARTS.filter(part => DERIVATIONS[part].scaled),
  webp: ['variant'],
}
const kindsOf = (task: RoundTask) => PARTS_OF[task].flatMap(part => DERIVATIONS[part].kinds)

const PAGE = 500

export interface LackingFiles {
  files: { nr: number; pending: boolean }[]
  /** All files up to this `nr` have been examined. */
  after: number
  /** True if no file follows. */
  end: boolean
}

export interface FindLackingLimits {
  files: number
  /** Called now and then; false ends the search. */
  more: () => boolean
}

const COLUMNS = [
  ...(['nr', 'mime', 'object', 'derived', 'width'] as const),
  ...DERIVED_COLUMNS,
  ...ENCODER_COLUMNS,
]

export interface FindLackingParts extends Pick<FeatureParts, 'database' | 'storage'> {
  encoder: Images['encoder']
}

export function createFindLacking({ database, storage, encoder }: FindLackingParts) {
  type Row = Pick<MediaRow, (typeof COLUMNS)[number]>

  async function lacks(row: Row, part: DerivedPart): Promise<boolean> {
    if (!mayHave(part, row.mime)) return false
    if (row.derived === 'pending') return true
    const judged = row[encoderColumn(part)] === encoder(part, row.mime)
    // After a rebuild from disk, previews exist but the dimensions are not recorded.
    const complete = judged || !DERIVATIONS[part].scaled || row.width !== null
    const settled = row[sizeColumn(part)] === null ? judged : complete && (await hasPart(storage, row, part))
    // If the original is lost, nothing can be made from it.
    return !settled && (await storage.measure(row.object)) !== null
  }

  /**
   * Examines files with a higher number than `after`, until `files` of them lack a part or `more` returns
   * false.
   */
  return async function findLacking(
    task: RoundTask,
    after: number,
    { files, more }: FindLackingLimits,
  ): Promise<LackingFiles> {
    const found: LackingFiles['files'] = []
    for (let at = after; ; ) {
      const rows = await database.read
        .selectFrom('media')
        .select(COLUMNS)
        .where('nr', '>', at)
        .where('kind', 'in', kindsOf(task))
        .orderBy('nr')
        .limit(PAGE)
        .execute()
      for (const row of rows) {
        if (found.length >= files) return { files: found, after: at, end: false }
        const lacking = await Promise.all(PARTS_OF[task].map(part => lacks(row, part)))
        if (lacking.includes(true)) found.push({ nr: row.nr, pending: row.derived === 'pending' })
        at = row.nr
        await pace()
      }
      if (rows.length < PAGE) return { files: found, after: at, end: true }
      if (!more()) return { files: found, after: at, end: false }
    }
  }
}

export type FindLacking = ReturnType<typeof createFindLacking>

/** Number of files not yet examined: an upper bound for those that lack a part. */
export const countUnexamined = ({ browse }: Database, task: RoundTask, after: number) =>
  countRows(browse.selectFrom('media').where('nr', '>', after).where('kind', 'in', kindsOf(task)))
