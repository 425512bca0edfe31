/** Finds the rows of a page of the library, in the way that reads the fewest rows. */
import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import { highestNumber } from '../../../database/highest-number.ts'
import { keyOf } from '../../folders/folder-keys.ts'
import { countFiles } from '../../folders/folders.store.ts'
import { isUnfiltered } from '../list/file-filter.ts'
import { createFindLandmark } from '../list/landmarks.ts'
import type { Filter, Order, Page } from '../list/listing.store.ts'
import * as store from '../list/listing.store.ts'

export interface PickLimits {
  /** Maximum number of rows that are read and sorted at once, in about 5 ms. */
  few: number
  /** Maximum number of rows before a page that are skipped in the order of names, in up to 15 ms. */
  fewBefore: number
}

export interface WantedPage {
  filter: Filter
  order: Order
  page: Page
  /** Number of files, including subfolders. */
  filesBelow: number
}

/** Returns the row numbers of the page; `total` is the number of rows that match. */
export type PickNumbers = (wanted: WantedPage, total: number) => Promise<number[]>

export function createPickNumbers(database: Database, { few, fewBefore }: PickLimits): PickNumbers {
  const { browse, queries } = database
  const findLandmark = createFindLandmark(database)

  /**
   * Follows the index of an order through all folders. If very many files come before the page, it starts
   * from a landmark shortly before the page, in ascending order.
   */
  async function follow({ filter, order, page, filesBelow }: WantedPage): Promise<number[]> {
    const where = store.conditions(filter, queries, 'natural_key')
    const { offset, limit } = page
    const [folder = '', ...others] = filter.area.folders
    if (order.column !== 'path' || filter.search || offset <= fewBefore || others.length > 0)
      return store.follow(browse, where, order, page)
    const place = order.descending ? filesBelow - offset - limit : offset
    const landmark = await findLandmark(keyOf(folder), place, fewBefore)
    if (!landmark || place - landmark.before >= offset) return store.follow(browse, where, order, page)
    const behind = [...where, store.notBefore(landmark.key)]
    const ascending = { column: order.column, descending: false }
    const numbers = await store.follow(browse, behind, ascending, { offset: place - landmark.before, limit })
    return order.descending ? numbers.reverse() : numbers
  }

  const fromStart: PickNumbers = async (wanted, total) => {
    const { filter, order, page, filesBelow } = wanted
    const { area, deep } = filter
    const where = store.conditions(filter, queries)
    const inIndexOrder = order.column === 'path' ? isUnfiltered(filter) : where.length === 0
    // Several folders have no common range in the index: few files are read and sorted instead.
    const isScattered = area.folders.length > 1 && filesBelow <= few
    if (deep && inIndexOrder && !isScattered) return follow(wanted)
    if (!deep && order.column === 'path') return store.follow(browse, where, order, page)

    const range = filesBelow > few && deep ? await store.narrowRange(browse, filter, few) : null
    if (range) return store.gather({ db: browse, from: sql`media` }, [...where, range], order, page)
    const candidates = deep ? filesBelow : await countFiles(browse, { area, deep })
    // An upper bound on the number of files, without counting.
    const library = await highestNumber(browse, 'media')
    // The rows that a walk reads if matches are evenly spread. If they are not, the walk gives up after
    // `reach` rows, before it costs more than gathering.
    const expected = ((page.offset + page.limit) * library) / total
    const reach = Math.floor(candidates / queries.walkCost)
    if (candidates > few && expected * 2 <= reach) {
      const picked = await store.walk({ db: browse, queries }, filter, order, page, reach)
      if (picked.length >= page.limit) return picked
    }
    return store.gather({ db: browse, from: queries.gallery }, where, order, page)
  }

  /** A page in the second half of the list is read from the end, where fewer rows are skipped. */
  return async ({ page: { offset, limit }, ...wanted }, total) => {
    if (offset >= total) return []
    const length = Math.min(limit, total - offset)
    const behind = total - offset - length
    // `limit` is not reduced to the rows that were counted: a file that was added since would displace
    // another.
    if (offset <= behind) return fromStart({ ...wanted, page: { offset, limit } }, total)
    const order = { ...wanted.order, descending: !wanted.order.descending }
    const page = { offset: behind, limit: length }
    return (await fromStart({ ...wanted, order, page }, total)).reverse()
  }
}
