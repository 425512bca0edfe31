/** However a page is found, it equals the page that sorting all files gives. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { isOrdinaryRun } from '../../../../test/support/left-out.ts'
import { KINDS } from '../../../contract/paths/kinds.ts'
import { sortNaturally } from '../../../database/natural-key.ts'
import {
  allowedAreaOf,
  everythingBelow,
  isPathInside,
  WHOLE_LIBRARY,
} from '../../../http/access/library-area.ts'
import { folderOf, keyOf } from '../../folders/folder-keys.ts'
import { countFiles } from '../../folders/folders.store.ts'
import { type LibraryInstance, openLibraryInstance } from '../testing.ts'
import type { ListFilter, ListOrder, PageBounds } from './listing.store.ts'
import { createListing, type ListingLimits } from './listing.ts'
import { isWordInPath, parseSearchWords } from './search-words.ts'

// Folders that differ only in leading zeros have the same sort key, and their files are interleaved.
const TWINS = ['z1/', 'z01/', 'z1/x/', 'z01/x2/', 'z001/x02/']
const FOLDERS = ['', 'a/', 'a/b/', 'a/b/c/', 'a-b/', 'a0/', 'Sword/', 'sword/shield/', ...TWINS]
const NAMES = ['sword', 'Shield', 'x_y', 'screenshot', '100', 'a.b-c']
const COUNT = 1500

interface Known {
  nr: number
  path: string
  folder: string
  kind: (typeof KINDS)[number]
  token_id: string | null
  size: number
  updated_at: number
  retrievals: number
  retrieved_at: number | null
  restored_at: number | null
  width: number | null
  height: number | null
}

let library: LibraryInstance
let known: Known[]
/** The position of each path in the order of names. */
let places: Map<string, number>

beforeAll(async () => {
  library = await openLibraryInstance()
  const rows = Array.from({ length: COUNT }, (_, at) => {
    const path = `${FOLDERS[(at * 7) % FOLDERS.length]}${NAMES[(at * 5) % NAMES.length]}-${at}.png`
    const retrievals = at % 4
    return library.row(path, {
      kind: at % 50 === 0 ? 'video' : KINDS[at % 3 === 0 ? 2 : 0],
      token_id: at % 5 === 0 ? 'token-1' : at % 7 === 0 ? 'token-2' : null,
      size: (at * 31) % 97,
      // The folders were filled one after the other; these times are in no other order.
      updated_at: ((at * 7) % FOLDERS.length) * 1000 + at,
      retrievals,
      retrieved_at: retrievals === 0 ? null : ((at * 13) % 101) * 200,
      restored_at: at % 11 === 0 ? at * 9 : null,
      width: at % 6 === 0 ? null : (at * 17) % 40,
      height: at % 6 === 0 ? null : (at * 29) % 40,
    })
  })
  await library.add(...rows)
  known = await library.database.read
    .selectFrom('media')
    .select(['nr', 'path', 'folder', 'kind', 'token_id', 'size', 'updated_at', 'retrievals', 'retrieved_at'])
    .select(['restored_at', 'width', 'height'])
    .execute()
})
beforeAll(() => {
  const sorted = sortNaturally(known, ({ path }) => path).map(({ path }) => path)
  places = new Map(sorted.map((path, at) => [path, at]))
})
afterAll(() => library[Symbol.asyncDispose]())

const RANGED = ['size', 'updated_at', 'width', 'height'] as const

function isInRange(value: number | null, range: ListFilter['size']): boolean {
  if (!range) return true
  return value !== null && value >= (range.min ?? 0) && value <= (range.max ?? Number.MAX_SAFE_INTEGER)
}

function orientationOf({ width, height }: Known) {
  if (width === null || height === null) return null
  return width > height ? 'quer' : width < height ? 'hoch' : 'quadratisch'
}

const usedAt = ({ updated_at, restored_at, retrieved_at }: Known) =>
  Math.max(updated_at, restored_at ?? 0, retrieved_at ?? 0)

function byHand(filter: ListFilter, { column, descending }: ListOrder): string[] {
  const { area, includesSubfolders, search, kinds, tokens } = filter
  const matching = known.filter(
    row =>
      isPathInside(row.path, area) &&
      (includesSubfolders || row.folder === keyOf(area.baseFolder)) &&
      (search === undefined || search.every(word => isWordInPath(word, row.path))) &&
      (!kinds || kinds.includes(row.kind)) &&
      (!tokens || tokens.includes(row.token_id ?? '')) &&
      RANGED.every(column => isInRange(row[column], filter[column])) &&
      (!filter.orientation || orientationOf(row) === filter.orientation) &&
      (!filter.neverRetrieved || row.retrievals === 0) &&
      (filter.unusedSince === undefined || usedAt(row) < filter.unusedSince),
  )
  const sign = descending ? -1 : 1
  const value = (row: Known) => row[column] ?? -1
  matching.sort((one, other) => {
    if (column === 'path') return sign * (places.get(one.path)! - places.get(other.path)!)
    const [a, b] = [value(one), value(other)]
    return sign * (a < b ? -1 : a > b ? 1 : one.nr - other.nr)
  })
  return matching.map(row => row.path)
}

/** What limited accounts see at the top. */
const LIMITED = [['a'], ['a/b', 'sword'], ['a/b/c', 'z1', 'z01', 'nowhere'], ['nowhere']].map(folders =>
  allowedAreaOf({ role: 'ansicht', folders }),
)

const filters = fc.record({
  area: fc.constantFrom(...FOLDERS.map(key => everythingBelow(folderOf(key))), ...LIMITED),
  includesSubfolders: fc.boolean(),
  search: fc
    .constantFrom(
      undefined,
      'sword',
      'SHIELD',
      'x_y',
      's',
      'a/',
      'b/c',
      '-1',
      'ng',
      'NG',
      '0.',
      'g/',
      'zq',
      '-1499.',
      '.png',
      'zzz',
      'ü',
      'sword png',
      'ng shield 1',
      's zq',
      's*',
      '*-1?.PNG',
      'a/b* screen',
      '?*0.png',
      '*',
      'swörd',
      'shïeld-1*',
    )
    .map(text => (text === undefined ? undefined : parseSearchWords(text)!)),
  kinds: fc.constantFrom<ListFilter['kinds'][]>(undefined, undefined, ...KINDS.map(kind => [kind]), [
    'video',
    'dokumente',
  ]),
  tokens: fc.constantFrom(undefined, undefined, ['token-1'], ['token-1', 'token-2'], ['nobody']),
  size: fc.constantFrom(undefined, undefined, { min: 90 }, { min: 10, max: 60 }, { max: 3 }),
  updated_at: fc.constantFrom(undefined, undefined, { min: 11_500 }, { min: 2000, max: 9000 }),
  width: fc.constantFrom(undefined, undefined, { min: 20 }),
  height: fc.constantFrom(undefined, undefined, { max: 30 }),
  orientation: fc.constantFrom(undefined, undefined, 'quer', 'hoch', 'quadratisch'),
  neverRetrieved: fc.constantFrom(undefined, undefined, true),
  unusedSince: fc.constantFrom(undefined, undefined, 6000, 13_000),
} satisfies { [Name in keyof Required<ListFilter>]: fc.Arbitrary<ListFilter[Name]> })
const orders = fc.record({
  column: fc.constantFrom('path', 'size', 'updated_at', 'retrievals', 'retrieved_at'),
  descending: fc.boolean(),
})
const pages = fc.record({
  offset: fc.constantFrom(0, 30, 400, 700, 1100, 1400, 5000),
  limit: fc.constantFrom(30, 200),
})

const LIMITS: Record<string, ListingLimits> = {
  'as they are': { maxSortedRows: 20_000, maxSortedHits: 5_000, maxSkippedRows: 40_000 },
  'nothing is few': { maxSortedRows: 0, maxSortedHits: 0, maxSkippedRows: 0 },
  'few hits, large folders': { maxSortedRows: 0, maxSortedHits: 300, maxSkippedRows: 250 },
  'in between': { maxSortedRows: 200, maxSortedHits: 20, maxSkippedRows: 380 },
}

describe.each(Object.keys(LIMITS))('limits: %s', name => {
  test('every filter, order and page', async () => {
    const { readPage: list } = createListing(library.database, LIMITS[name])
    const check = async (given: ListFilter, order: ListOrder, page: PageBounds) => {
      // A search always includes subfolders, as in the route.
      const filter = { ...given, includesSubfolders: given.includesSubfolders || given.search !== undefined }
      const filesBelow = await countFiles(library.database.read, { area: filter.area })
      const { files, total } = await list(filter, order, page, filesBelow)
      const expected = byHand(filter, order)
      expect(total).toBe(expected.length)
      expect(files.map(file => file.path)).toEqual(expected.slice(page.offset, page.offset + page.limit))
    }
    const numRuns = isOrdinaryRun ? 100 : 250
    await fc.assert(fc.asyncProperty(filters, orders as fc.Arbitrary<ListOrder>, pages, check), { numRuns })
  })
})

test('pages far down the order of names, read from the folder before them', async () => {
  const { read } = library.database
  for (const maxSkippedRows of [0, 120, 250, 400]) {
    const { readPage: list } = createListing(library.database, {
      maxSortedRows: 0,
      maxSortedHits: 0,
      maxSkippedRows,
    })
    for (const area of [...['', 'a', 'sword', 'z1', 'z01'].map(everythingBelow), ...LIMITED])
      for (const descending of [false, true]) {
        const filter = { area, includesSubfolders: true }
        const order = { column: 'path', descending } as const
        const expected = byHand(filter, order)
        const filesBelow = await countFiles(read, filter)
        for (let offset = 0; offset < filesBelow; offset += 73) {
          const { files } = await list(filter, order, { offset, limit: 30 }, filesBelow)
          expect(files.map(file => file.path)).toEqual(expected.slice(offset, offset + 30))
        }
      }
  }
})

test('a file that comes after the files were counted takes no place from another', async () => {
  const { readPage: list } = createListing(library.database)
  const filter = { area: everythingBelow('a/b/c'), includesSubfolders: true }
  const order = { column: 'path', descending: false } as const
  const expected = byHand(filter, order)
  const { files, total } = await list(filter, order, { offset: 0, limit: 200 }, expected.length - 1)
  expect([files.map(({ path }) => path), total]).toEqual([expected, expected.length])
})

test('a total that is remembered is counted anew after a commit', async () => {
  const { readPage: list } = createListing(library.database, {
    maxSortedRows: 0,
    maxSortedHits: 0,
    maxSkippedRows: 0,
  })
  const ask = async () => {
    const filter = { area: WHOLE_LIBRARY, includesSubfolders: true, search: parseSearchWords('screenshot')! }
    return (await list(filter, { column: 'path', descending: false }, { offset: 0, limit: 30 }, COUNT)).total
  }
  const before = await ask()
  expect(await ask()).toBe(before)
  await library.add(library.row('new/screenshot.png'))
  expect(await ask()).toBe(before + 1)
  await library.database.transaction(tx =>
    tx.deleteFrom('media').where('path', '=', 'new/screenshot.png').execute(),
  )
  expect(await ask()).toBe(before)
})
