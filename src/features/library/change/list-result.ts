/**
 * The whole result of a file list, described by the same query fields as the list. An action reads the row
 * numbers of the files when it begins, so files that are added later are not part of it.
 */
import type { ResultQuery, ResultSelection } from '../../../contract/files/library.ts'
import { RESULT_MAX_FILES } from '../../../contract/values/input-limits.ts'
import type { Database, Queries } from '../../../database/database.ts'
import { failure } from '../../../errors/errors.ts'
import type { Area } from '../../../http/access/library-area.ts'
import type { FeatureParts } from '../../feature.ts'
import { countFiles } from '../../folders/folders.store.ts'
import type { MediaRow } from '../../media/media.store.ts'
import { fileFilterOf } from '../list/file-filter.ts'
import { filterConditions, type ListFilter } from '../list/listing.store.ts'
import { createListing } from '../list/listing.ts'
import { parseSearchWords } from '../list/search-words.ts'

export interface ListResult {
  filter: ListFilter
  /** Row numbers of the files, sorted by name. */
  numbers: readonly number[]
}

/** The filter that a query describes; null if no path can match its search. */
export function listFilterOf(query: ResultQuery, area: Area, now: number): ListFilter | null {
  const { suche, unterordner } = query
  const search = suche.trim() === '' ? undefined : parseSearchWords(suche)
  if (search === null) return null
  const includesSubfolders = search !== undefined || unterordner === '1'
  return { ...fileFilterOf(query, now), area, includesSubfolders, search }
}

export function createResultFinder({ database, now }: Pick<FeatureParts, 'database' | 'now'>) {
  const listing = createListing(database)
  const order = { column: 'path', descending: false } as const

  async function find(query: ResultQuery, area: Area): Promise<ListResult> {
    const filesBelow = await countFiles(database.slowRead, { area })
    if (area.baseFolder !== '' && filesBelow === 0) throw failure.folderAbsent()
    const filter = listFilterOf(query, area, now())
    if (!filter) return { filter: { area, includesSubfolders: true }, numbers: [] }
    const page = { offset: 0, limit: RESULT_MAX_FILES }
    const { total, numbers } = await listing.readNumbers(filter, order, page, filesBelow)
    if (total > RESULT_MAX_FILES) throw failure.resultTooLarge(RESULT_MAX_FILES)
    return { filter, numbers }
  }

  return {
    find,
    /**
     * Like `find`, but for changes: rejects unless there are exactly as many files (`gesamt`) as the caller
     * has seen.
     */
    async findCounted({ gesamt, ...query }: ResultSelection, area: Area) {
      const result = await find(query, area)
      if (result.numbers.length !== gesamt) throw failure.resultChanged(result.numbers.length, gesamt)
      return result
    },
  }
}

/** The rows with these numbers that still belong to the result; files may be moved or deleted meanwhile. */
export async function remainingRows(
  tx: Queries,
  numbers: readonly number[],
  { filter, queryTraits }: { filter: ListFilter; queryTraits: Database['queryTraits'] },
): Promise<MediaRow[]> {
  let query = tx.selectFrom('media').selectAll().where('nr', 'in', numbers)
  for (const condition of filterConditions(filter, queryTraits)) query = query.where(condition)
  const rowsByNumber = new Map((await query.execute()).map(row => [row.nr, row]))
  return numbers.flatMap(nr => rowsByNumber.get(nr) ?? [])
}
