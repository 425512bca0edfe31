/**
 * Reads a page of the library: which files, in which order, and how many match in all. Everything comes out of running
 * figures and indexes. Of several ways to the page, the choice depends on how many rows each way has to look at.
 */
import type { Database } from '../../database/database.ts'
import { highestNumber } from '../../database/highest-number.ts'
import { countFiles } from '../folders/folders.store.ts'
import type { Filter, Order, Page } from './listing.store.ts'
import * as store from './listing.store.ts'
import { hitsOf, indexedPart } from './search-words.ts'
import type { WireRow } from './wire.ts'

export interface ListingLimits {
  /** Up to this many rows are read and sorted at once, whatever the order. Takes about 5 ms. */
  few: number
  /** Up to this many hits of a search are fetched and sorted. Takes about 10 ms. */
  fewHits: number
}
const LIMITS: ListingLimits = { few: 20_000, fewHits: 5_000 }

/** Number of totals that are kept in memory. */
const REMEMBERED = 200

interface Picked {
  /** Of the rows on the page, in order. */
  numbers: number[]
  /** How many rows match in all. */
  total: number
}

/** `filesBelow`: how many files the folder has, subfolders included. */
type Ask<Answer> = (filter: Filter, order: Order, page: Page, filesBelow: number) => Promise<Answer>

export interface Listing {
  page: Ask<{ files: WireRow[]; total: number }>
  /** The numbers alone: cheap also where the page is the whole result. */
  numbers: Ask<Picked>
}

export function createListing(database: Database, limits: ListingLimits = LIMITS): Listing {
  const { browse, queries } = database
  const remembered = createTotals(database)

  async function totalOf(filter: Filter, filesBelow: number): Promise<number> {
    const { folder, deep, search, kind, token } = filter
    if (search === undefined && token === undefined)
      return deep && !kind ? filesBelow : countFiles(browse, filter)
    if (search === undefined && token !== undefined && deep && folder === '' && !kind)
      return store.tokenFiles(browse, token)
    return remembered(filter, () => store.count(browse, store.conditions(filter, queries)))
  }

  /**
   * A page by the search index. Null where the index is of no use: the text is too short, the folder is quicker read
   * than the index, or there are many hits and further conditions.
   */
  async function byIndex(wanted: Wanted): Promise<Picked | null> {
    const { filter, order, page, filesBelow } = wanted
    const { search = [], ...others } = filter
    const parts = search.map(word => ({ word, texts: indexedPart(word, queries) }))
    const indexed = parts.flatMap(({ texts }) => (texts ? [texts] : []))
    if (indexed.length === 0 || filesBelow <= limits.few) return null
    // What the index cannot decide alone: wildcards, and words too short for it.
    const open = parts.filter(({ word, texts }) => word.hasWildcards || !texts).map(({ word }) => word)
    const where = store.conditions({ ...others, search: open }, queries)
    const hits = hitsOf(indexed, queries, limits.fewHits + 1)
    if ((await store.countRows(browse, hits)) <= limits.fewHits) {
      const numbers = await store.found(browse, hits, where, order)
      return { total: numbers.length, numbers: numbers.slice(page.offset, page.offset + page.limit) }
    }
    if (where.length > 0) return null
    const total = await remembered(filter, () => store.countRows(browse, hitsOf(indexed, queries)))
    return { total, numbers: await pick(database, wanted, total, limits.few) }
  }

  const numbers: Listing['numbers'] = async (filter, order, page, filesBelow) => {
    const wanted = { filter, order, page, filesBelow }
    const found = filter.search && (await byIndex(wanted))
    if (found) return found
    const total = await totalOf(filter, filesBelow)
    return { total, numbers: await pick(database, wanted, total, limits.few) }
  }

  return {
    numbers,
    async page(...asked) {
      const { total, numbers: picked } = await numbers(...asked)
      return { total, files: await store.rowsOf(browse, picked) }
    },
  }
}

interface Wanted {
  filter: Filter
  order: Order
  page: Page
  filesBelow: number
}

/** The numbers of the rows on the page; `total` is how many rows match. */
async function pick(
  database: Database,
  { filter, order, page, filesBelow }: Wanted,
  total: number,
  few: number,
): Promise<number[]> {
  if (page.offset >= total) return []
  const wanted = Math.min(page.limit, total - page.offset)
  const behind = total - page.offset - wanted
  if (behind < page.offset) {
    // The page is nearer to the end: the last of ten million files is as quick as the first one.
    const turned = { ...order, descending: !order.descending }
    const nearer = { filter, order: turned, page: { offset: behind, limit: wanted }, filesBelow }
    return (await pick(database, nearer, total, few)).reverse()
  }
  const { browse, queries } = database
  const { folder, deep, kind, token } = filter
  const where = store.conditions(filter, queries)
  const inIndexOrder = order.column === 'path' ? !kind && token === undefined : where.length === 0
  if (deep && inIndexOrder)
    return store.follow(browse, store.conditions(filter, queries, 'natural_key'), order, page)
  if (!deep && order.column === 'path') return store.follow(browse, where, order, page)

  const candidates = deep ? filesBelow : await countFiles(browse, { folder, deep })
  // An upper limit for the number of files, found without counting.
  const library = await highestNumber(browse, 'media')
  // The rows that a walk looks at if the matches lie evenly. They may not lie evenly, so the walk gives up after
  // `reach` rows, before it has cost more than gathering.
  const expected = ((page.offset + wanted) * library) / total
  const reach = Math.floor(candidates / queries.walkCost)
  if (candidates > few && expected * 2 <= reach) {
    const picked = await store.walk(browse, where, order, page, reach)
    if (picked.length >= wanted) return picked
  }
  return store.gather(browse, where, order, page)
}

/**
 * Remembers totals by filter until the database changes: for a common search, counting is the dearest part of a page,
 * and its pages share the total.
 */
function createTotals(database: Database) {
  const totals = new Map<string, { version: number; total: number }>()
  return async (filter: Filter, count: () => Promise<number>): Promise<number> => {
    const key = JSON.stringify(filter)
    const known = totals.get(key)
    // The moment is asked for before counting: a commit during the count moves it, so the next call counts anew.
    const { version } = await database.moment()
    if (known?.version === version) return known.total
    const total = await count()
    if (totals.size >= REMEMBERED) totals.clear()
    totals.set(key, { version, total })
    return total
  }
}
