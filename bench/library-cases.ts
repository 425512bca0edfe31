/**
 * What is asked of a large library. Each round asks something else where answers could otherwise be
 * remembered.
 */
import { WORDS } from './seed.ts'

/** On SQLite with up to a million files, on SQLite with more, or on PostgreSQL. */
export type LibraryMode = 'embedded' | 'huge' | 'shared'

export interface LibraryCase {
  name: string
  /** `files`: how many the library has. */
  route: (round: number, files: number) => string
  /**
   * Milliseconds at the median that are at most allowed, by mode; without a figure the case is for
   * information.
   */
  bars?: Partial<Record<LibraryMode, number>>
}

/** Files on a page, unless more are asked for. */
const PAGE_SIZE = 60

const PAGE = { embedded: 50, huge: 50, shared: 50 }
const SEARCH = { embedded: 50, huge: 50, shared: 150 }
const COMMON_SEARCH = { huge: 50, shared: 150 }
/** The first request with a filter counts the whole library once; pages come from the same count. */
const FIRST_FILTER = { embedded: 400, shared: 800 }
const SHORT_SEARCH = { embedded: 50, huge: 150, shared: 500 }

const media = (query: Record<string, string | number>) =>
  `media?${Object.entries(query)
    .map(([key, value]) => `${key}=${encodeURIComponent(value)}`)
    .join('&')}`

const YEAR = 365 * 24 * 60 * 60 * 1000

const ORDERS = ['name', 'size', 'updated_at', 'abrufe', 'zuletzt_abgerufen']
const word = (round: number) => WORDS[round % WORDS.length]!

const ordered = (name: string, query: Record<string, string | number>): LibraryCase[] =>
  ORDERS.flatMap(sortierung =>
    ['auf', 'ab'].map(richtung => ({
      name: `${name}, by ${sortierung}, ${richtung === 'auf' ? 'ascending' : 'descending'}`,
      route: (round: number) => media({ ...query, sortierung, richtung, seite: 1 + round }),
      bars: PAGE,
    })),
  )

export const CASES: LibraryCase[] = [
  { name: 'top page, with its folders', route: () => media({}), bars: PAGE },
  ...ordered('folder of a third of all', { ordner: 'uploads' }),
  {
    name: 'folder of 500, by size',
    route: () => media({ ordner: 'rename-me/part-3', sortierung: 'size' }),
    bars: PAGE,
  },
  ...ordered('everything, recursive', { unterordner: 1 }),
  {
    name: 'everything, page 5000',
    route: round => media({ unterordner: 1, seite: 5000 + round }),
    bars: PAGE,
  },
  {
    name: 'everything, newest first, the last pages',
    route: (round, files) =>
      media({
        ...{ unterordner: 1, sortierung: 'updated_at', richtung: 'ab' },
        seite: Math.ceil(files / PAGE_SIZE) - round,
      }),
    bars: PAGE,
  },
  {
    name: 'below a folder of two thirds, by size',
    route: round => media({ ordner: 'library', unterordner: 1, sortierung: 'size', seite: 1 + round }),
    bars: PAGE,
  },
  {
    name: 'videos everywhere, newest first, pages 1 to 5',
    route: round =>
      media({
        unterordner: 1,
        art: 'video',
        sortierung: 'updated_at',
        richtung: 'ab',
        seite: 1 + (round % 5),
      }),
    bars: PAGE,
  },
  {
    name: 'files of a token everywhere, by name',
    route: round => media({ unterordner: 1, token: 'token-1', seite: 1 + round }),
    bars: PAGE,
  },
  {
    name: 'search, rare (a few hits)',
    route: round => media({ suche: (0xa1b20 + round * 977).toString(16) }),
    bars: SEARCH,
  },
  {
    name: 'search, one hit',
    // Every seeded name ends with its number.
    route: round => media({ suche: `-${(600_000 + round).toString(36)}.` }),
    bars: SEARCH,
  },
  { name: 'search, common (a tenth), by name', route: round => media({ suche: word(round) }), bars: SEARCH },
  {
    name: 'search, common (a tenth), newest first',
    route: round => media({ suche: word(round + 11), sortierung: 'updated_at', richtung: 'ab' }),
    bars: SEARCH,
  },
  {
    name: 'search, 3 characters, half of all',
    route: round => media({ suche: ['png', 'PNG', 'Png'][round % 3]! }),
    bars: COMMON_SEARCH,
  },
  {
    name: 'search, very common: screenshot',
    route: round => media({ suche: 'screenshot', seite: 1 + round }),
    bars: COMMON_SEARCH,
  },
  {
    name: 'search, 2 characters',
    route: round => media({ suche: (0x10 + round).toString(16) }),
    bars: SHORT_SEARCH,
  },
  { name: 'search, 1 character', route: round => media({ suche: (round % 36).toString(36) }) },
  {
    name: 'search in a folder of 10 000',
    route: round => media({ ordner: 'rename-me', suche: `-${round}` }),
    bars: SEARCH,
  },
  {
    name: 'filter: unused for a year, everywhere, by name',
    route: round => media({ unterordner: 1, unabgerufen_tage: 365, seite: 1 + round }),
    bars: PAGE,
  },
  {
    name: 'filter: unused for a year, everywhere, another each time',
    route: round =>
      media({ unterordner: 1, unabgerufen_tage: 365 + round, sortierung: 'size', richtung: 'ab' }),
    bars: FIRST_FILTER,
  },
  {
    name: 'filter: large pictures across, newest first, another each time',
    route: round =>
      media({
        ...{ unterordner: 1, art: 'bilder,video', ausrichtung: 'quer', min_breite: 1000 + round },
        ...{ min_bytes: 1_000_000, sortierung: 'updated_at', richtung: 'ab' },
      }),
    bars: FIRST_FILTER,
  },
  {
    name: 'filter: changed on one day, by name, another each time',
    route: round => {
      const day = Date.now() - YEAR - round * (YEAR / 365)
      return media({
        unterordner: 1,
        geaendert_von: Math.floor(day - YEAR / 365),
        geaendert_bis: Math.floor(day),
      })
    },
    bars: FIRST_FILTER,
  },
  {
    name: 'filter: a folder of a third, never retrieved, by size',
    route: round => media({ ordner: 'uploads', nie_abgerufen: 1, sortierung: 'size', seite: 1 + round }),
    bars: PAGE,
  },
  {
    name: 'filter: search, common, of two tokens',
    route: round => media({ suche: word(round), token: 'token-1,token-2' }),
  },
  { name: 'folder tree', route: () => 'folders', bars: { huge: 50 } },
  { name: 'overview', route: () => 'uebersicht', bars: { huge: 50 } },
  { name: 'one file', route: round => `media/served/${round}.txt` },
]
