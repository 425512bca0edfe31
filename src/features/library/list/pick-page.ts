/** Finds the row numbers of a page of the library, with the query expected to read the fewest rows. */
import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import { readHighestRowNumber } from '../../../database/highest-number.ts'
import { keyOf } from '../../folders/folder-keys.ts'
import { countFiles } from '../../folders/folders.store.ts'
import { hasNoFileConditions } from './file-filter.ts'
import { createFindLandmark } from './landmarks.ts'
import type { ListFilter, ListOrder, PageBounds } from './listing.store.ts'
import * as store from './listing.store.ts'

export interface PickLimits {
  /** Up to this number, rows are read and sorted without looking for a faster query; takes about 5 ms. */
  maxSortedRows: number
  /**
   * For a list sorted by name: up to this number, the rows before a page are skipped without looking for a
   * landmark (`landmarks.ts`); takes up to 15 ms.
   */
  maxSkippedRows: number
}

export interface WantedPage {
  filter: ListFilter
  order: ListOrder
  page: PageBounds
  /** Number of files in the area of the filter, including subfolders. */
  filesBelow: number
}

/** Returns the row numbers of the page; `total` is the number of rows that match. */
export type PickRowNumbers = (wantedPage: WantedPage, total: number) => Promise<number[]>

export function createPickRowNumbers(
  database: Database,
  { maxSortedRows, maxSkippedRows }: PickLimits,
): PickRowNumbers {
  const { slowRead: db, queryTraits } = database
  const findLandmark = createFindLandmark(database)

  /**
   * Reads the row numbers of a page, subfolders included, along the index that has the requested order. If
   * the list is sorted by name, covers a single folder and has no search, a page that comes after very many
   * files is read from the last landmark before it. A landmark is a folder for which the number of files
   * before it is known (`landmarks.ts`).
   */
  async function followFromLandmark({ filter, order, page, filesBelow }: WantedPage): Promise<number[]> {
    const conditions = store.filterConditions(filter, queryTraits, 'natural_key')
    const { offset, limit } = page
    const [folder = '', ...otherFolders] = filter.area.folders
    if (order.column !== 'path' || filter.search || offset <= maxSkippedRows || otherFolders.length > 0)
      return store.followIndex(db, conditions, order, page)
    const ascendingOffset = order.descending ? filesBelow - offset - limit : offset
    const landmark = await findLandmark(keyOf(folder), ascendingOffset, maxSkippedRows)
    if (!landmark || ascendingOffset - landmark.filesBefore >= offset)
      return store.followIndex(db, conditions, order, page)
    const whereFromLandmark = [...conditions, store.fromKeyCondition(landmark.key)]
    const ascendingOrder = { column: order.column, descending: false }
    const numbers = await store.followIndex(db, whereFromLandmark, ascendingOrder, {
      offset: ascendingOffset - landmark.filesBefore,
      limit,
    })
    return order.descending ? numbers.reverse() : numbers
  }

  const pickFromStart: PickRowNumbers = async (wantedPage, total) => {
    const { filter, order, page, filesBelow } = wantedPage
    const { area, includesSubfolders } = filter
    const conditions = store.filterConditions(filter, queryTraits)
    const indexCoversConditions =
      order.column === 'path' ? hasNoFileConditions(filter) : conditions.length === 0
    // The files of several folders are not one range of the index. If they are few, reading and sorting all
    // of them (`store.gatherRows`) is faster.
    const isSortingCheaper = area.folders.length > 1 && filesBelow <= maxSortedRows
    if (includesSubfolders && indexCoversConditions && !isSortingCheaper)
      return followFromLandmark(wantedPage)
    if (!includesSubfolders && order.column === 'path') return store.followIndex(db, conditions, order, page)

    const range =
      filesBelow > maxSortedRows && includesSubfolders
        ? await store.findNarrowRange(db, filter, maxSortedRows)
        : null
    if (range) return store.gatherRows({ db, table: sql`media` }, [...conditions, range], order, page)
    const candidateCount = includesSubfolders
      ? filesBelow
      : await countFiles(db, { area, includesSubfolders })
    // An upper bound on the number of files in the library, without counting.
    const maxLibraryRows = await readHighestRowNumber(db, 'media')
    // The number of rows that `store.walkRows` reads if the matches are evenly spread. If they are not, it
    // stops after `maxWalkedRows` rows, before it costs more than `store.gatherRows`.
    const expectedRows = ((page.offset + page.limit) * maxLibraryRows) / total
    const maxWalkedRows = Math.floor(candidateCount / queryTraits.sortedScanCost)
    if (candidateCount > maxSortedRows && expectedRows * 2 <= maxWalkedRows) {
      const numbers = await store.walkRows({ db, queryTraits }, filter, order, page, maxWalkedRows)
      if (numbers.length >= page.limit) return numbers
    }
    return store.gatherRows({ db, table: queryTraits.galleryTable }, conditions, order, page)
  }

  /**
   * Finds the row numbers of the page. A page in the second half of the list is read from the end, where
   * fewer rows are skipped.
   */
  return async ({ page: { offset, limit }, ...request }, total) => {
    if (offset >= total) return []
    const pageLength = Math.min(limit, total - offset)
    const rowsAfterPage = total - offset - pageLength
    // `limit` is kept even if fewer rows of the page were counted: with a smaller limit, a file that was
    // added after the count would push the last file off the page.
    if (offset <= rowsAfterPage) return pickFromStart({ ...request, page: { offset, limit } }, total)
    const order = { ...request.order, descending: !request.order.descending }
    const page = { offset: rowsAfterPage, limit: pageLength }
    return (await pickFromStart({ ...request, order, page }, total)).reverse()
  }
}
