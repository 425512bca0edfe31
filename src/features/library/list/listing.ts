/**
 * Reads a page of the library and the total number of matching files, from running totals and indexes. Of the
 * possible queries it chooses the one that is expected to read the fewest rows.
 */
import type { RawBuilder } from 'kysely'
import type { Database } from '../../../database/database.ts'
import { countFiles } from '../../folders/folders.store.ts'
import { hasAtMostKindFilter } from './file-filter.ts'
import type { WireRow } from './file-on-wire.ts'
import { createFindHits, type FindHits, totalOfHits } from './hit-folders.ts'
import type { ListFilter, ListOrder, PageBounds } from './listing.store.ts'
import * as store from './listing.store.ts'
import { createPickRowNumbers, type PickLimits, type WantedPage } from './pick-page.ts'
import { hitsSubquery, indexableParts } from './search-words.ts'

export interface ListingLimits extends PickLimits {
  /** Maximum number of search hits that are fetched and sorted, which takes about 10 ms. */
  maxSortedHits: number
}
const DEFAULT_LIMITS: ListingLimits = { maxSortedRows: 20_000, maxSortedHits: 5_000, maxSkippedRows: 40_000 }

/** Maximum number of cached totals. */
const MAX_CACHED_TOTALS = 200

interface PickedFiles {
  numbers: number[]
  total: number
}

/** `filesBelow`: the number of files in the area of the filter, including subfolders. */
type ReadPage<Answer> = (
  filter: ListFilter,
  order: ListOrder,
  page: PageBounds,
  filesBelow: number,
) => Promise<Answer>

export interface Listing {
  findHits: FindHits
  readPage: ReadPage<{ files: WireRow[]; total: number }>
  /** Returns only the row numbers and the total: cheap even for the whole result. */
  readNumbers: ReadPage<PickedFiles>
}

export function createListing(database: Database, limits: ListingLimits = DEFAULT_LIMITS): Listing {
  const { slowRead: db, queryTraits } = database
  const totalWithCache = createCachedTotal(database)
  const findHits = createFindHits(database)
  const pickNumbers = createPickRowNumbers(database, limits)

  async function totalOf(filter: ListFilter, filesBelow: number): Promise<number> {
    if (filter.search === undefined) {
      if (hasAtMostKindFilter(filter))
        return filter.includesSubfolders && !filter.kinds ? filesBelow : countFiles(db, filter)
      return totalOfHits(await findHits(filter), filter)
    }
    return totalWithCache(filter, () => store.countRowsWhere(db, store.filterConditions(filter, queryTraits)))
  }

  /**
   * Finds a page with the search index. Null if the index does not help: every word is too short for it,
   * reading the folder is faster, or there are many hits and the filter has further conditions.
   */
  async function searchByIndex(wantedPage: WantedPage): Promise<PickedFiles | null> {
    const { filter, order, page, filesBelow } = wantedPage
    const { search = [], ...otherFilters } = filter
    const indexedWords = search.map(word => ({ word, texts: indexableParts(word, queryTraits) }))
    const indexedTexts = indexedWords.flatMap(({ texts }) => (texts ? [texts] : []))
    if (indexedTexts.length === 0 || filesBelow <= limits.maxSortedRows) return null
    // Words that the index does not check completely, so `conditions` test them for each hit: words that are
    // too short for the index, and words with wildcards, of which only one part is looked up in the index.
    const wordsToCheck = indexedWords
      .filter(({ word, texts }) => word.hasWildcards || !texts)
      .map(({ word }) => word)
    const conditions = store.filterConditions({ ...otherFilters, search: wordsToCheck }, queryTraits)
    const pageOfHits = async (hits: RawBuilder<{ nr: number }>) => {
      const numbers = await store.hitRowNumbers(db, hits, conditions, order)
      return { total: numbers.length, numbers: numbers.slice(page.offset, page.offset + page.limit) }
    }
    if (conditions.length > 0) {
      const hitsQuery = hitsSubquery(indexedTexts, queryTraits, limits.maxSortedHits + 1)
      return (await store.countRowsFrom(db, hitsQuery)) <= limits.maxSortedHits ? pageOfHits(hitsQuery) : null
    }
    // All hits are counted, without a limit, since the index finds all of them before it returns the first.
    const hitsQuery = hitsSubquery(indexedTexts, queryTraits)
    const total = await totalWithCache(filter, () => store.countRowsFrom(db, hitsQuery))
    if (total <= limits.maxSortedHits) return pageOfHits(hitsQuery)
    return { total, numbers: await pickNumbers(wantedPage, total) }
  }

  const readNumbers: Listing['readNumbers'] = async (filter, order, page, filesBelow) => {
    const wantedPage = { filter, order, page, filesBelow }
    const foundByIndex = filter.search && (await searchByIndex(wantedPage))
    if (foundByIndex) return foundByIndex
    const total = await totalOf(filter, filesBelow)
    return { total, numbers: await pickNumbers(wantedPage, total) }
  }

  return {
    findHits,
    readNumbers,
    async readPage(filter, order, page, filesBelow) {
      const { total, numbers: numbersOfPage } = await readNumbers(filter, order, page, filesBelow)
      const files = await store.readWireRows(db, numbersOfPage)
      const rowsUpToPage = files.length === 0 ? 0 : page.offset + files.length
      return { total: Math.max(total, rowsUpToPage), files }
    },
  }
}

/**
 * Returns a function that caches totals by filter until the database changes, because counting the files of a
 * common search is expensive.
 */
function createCachedTotal(database: Database) {
  const totals = new Map<string, { version: number; total: number }>()
  return async (filter: ListFilter, count: () => Promise<number>): Promise<number> => {
    const key = JSON.stringify(filter)
    const cachedTotal = totals.get(key)
    // The version is read before counting: a commit in between changes it, so that the next call counts
    // again.
    const { version } = await database.currentState()
    if (cachedTotal?.version === version) return cachedTotal.total
    const total = await count()
    if (totals.size >= MAX_CACHED_TOTALS) totals.clear()
    totals.set(key, { version, total })
    return total
  }
}
