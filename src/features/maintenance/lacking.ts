/** Files that lack a derived file they could have: nobody has tried to make it yet, or its object is gone. */
import type { Kind } from '../../contract/kinds.ts'
import { mayHaveVariant } from '../../contract/kinds.ts'
import type { Database } from '../../database/database.ts'
import type { DerivedPart, Images } from '../../images/images.ts'
import { createPace } from '../../pace.ts'
import type { Storage } from '../../storage/storage.ts'
import type { MediaRow } from '../media/media.store.ts'
import { encoderColumn, hasPart } from '../previews/remake.ts'

export type RoundTask = 'thumbs' | 'webp'

export const PART_OF: Readonly<Record<RoundTask, DerivedPart>> = { thumbs: 'preview', webp: 'variant' }
const KINDS_OF: Readonly<Record<RoundTask, readonly Kind[]>> = {
  thumbs: ['bilder', 'video'],
  webp: ['bilder'],
}

const PAGE = 500

export interface Looked {
  files: { nr: number; pending: boolean }[]
  /** Everything up to this number has been looked at. */
  after: number
  /** There is nothing behind it. */
  end: boolean
}

export interface LookLimits {
  files: number
  /** Asked now and then; looking ends when it says no. */
  more: () => boolean
}

const COLUMNS = [
  ...(['nr', 'mime', 'object', 'derived', 'width'] as const),
  ...(['preview_size', 'variant_size', 'preview_encoder', 'variant_encoder'] as const),
]

export interface LookParts {
  database: Database
  storage: Storage
  encoder: Images['encoder']
}

export function createLook({ database, storage, encoder }: LookParts) {
  type Row = Pick<MediaRow, (typeof COLUMNS)[number]>

  async function lacks(row: Row, task: RoundTask): Promise<boolean> {
    if (task === 'webp' && !mayHaveVariant(row.mime)) return false
    if (row.derived === 'pending') return true
    const part = PART_OF[task]
    const judged = row[encoderColumn(part)] === encoder(part, row.mime)
    // After the index was rebuilt from the disk, previews are there and nobody knows the measures.
    const complete = judged || task !== 'thumbs' || row.width !== null
    const settled = row[`${part}_size`] === null ? judged : complete && (await hasPart(storage, row, part))
    // Nothing can be made of an original that is lost.
    return !settled && (await storage.open(row.object)) !== null
  }

  /** From the number `after` on, until so many are found or it takes too long. */
  return async function look(task: RoundTask, after: number, { files, more }: LookLimits): Promise<Looked> {
    const found: Looked['files'] = []
    const pace = createPace()
    for (let at = after; ; ) {
      const rows = await database.read
        .selectFrom('media')
        .select(COLUMNS)
        .where('nr', '>', at)
        .where('kind', 'in', KINDS_OF[task])
        .orderBy('nr')
        .limit(PAGE)
        .execute()
      for (const row of rows) {
        if (found.length >= files) return { files: found, after: at, end: false }
        if (await lacks(row, task)) found.push({ nr: row.nr, pending: row.derived === 'pending' })
        at = row.nr
        await pace()
      }
      if (rows.length < PAGE) return { files: found, after: at, end: true }
      if (!more()) return { files: found, after: at, end: false }
    }
  }
}

export type Look = ReturnType<typeof createLook>

/** How many files a look has not reached, at the most. */
export async function unseen({ browse }: Database, task: RoundTask, after: number): Promise<number> {
  const { count } = await browse
    .selectFrom('media')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('nr', '>', after)
    .where('kind', 'in', KINDS_OF[task])
    .executeTakeFirstOrThrow()
  return Number(count)
}
