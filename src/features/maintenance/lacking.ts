/** Files that lack a derived file they could have: never made, failed, or its object is gone. */
import type { Kind } from '../../contract/kinds.ts'
import { mayHaveVariant } from '../../contract/kinds.ts'
import type { Database } from '../../database/database.ts'
import type { Storage } from '../../storage/storage.ts'
import { createPace } from '../library/pace.ts'
import type { MediaRow } from '../media/media.store.ts'
import { type DerivedPart, hasPart } from '../previews/remake.ts'

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

export function createLook({ database, storage }: { database: Database; storage: Storage }) {
  type Row = Pick<MediaRow, 'nr' | 'mime' | 'object' | 'derived' | 'width' | 'preview_size' | 'variant_size'>

  function lacks(row: Row, task: RoundTask): boolean | Promise<boolean> {
    if (task === 'webp' && !mayHaveVariant(row.mime)) return false
    if (row.derived === 'pending') return true
    // After the index was rebuilt from the disk, previews are there and nobody knows the measures.
    if (task === 'thumbs' && row.width === null) return true
    return hasPart(storage, row, PART_OF[task]).then(there => !there)
  }

  /** From the number `after` on, until so many are found or it takes too long. */
  return async function look(task: RoundTask, after: number, { files, more }: LookLimits): Promise<Looked> {
    const found: Looked['files'] = []
    const pace = createPace()
    for (let at = after; ; ) {
      const rows = await database.read
        .selectFrom('media')
        .select(['nr', 'mime', 'object', 'derived', 'width', 'preview_size', 'variant_size'])
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
