/**
 * Bounds and choices that forms show before anything is sent. Apart from the schemas, which use them: the dashboard needs
 * these while it runs, and a schema of the rest would bring the whole library along.
 */
import { MEGABYTE } from './units.ts'

export const PASSWORD_MIN = 10
/** Far above any sentence one could remember; without a bound a login could carry megabytes into the hash. */
export const PASSWORD_MAX = 1000
export const NAME_MAX = 64

export const PAGE_SIZES = [30, 60, 120, 200] as const
export const DEFAULT_PAGE_SIZE = 60

/** What an archive may hold, unpacked. */
export const ZIP_MAX_ENTRIES = 5000
export const ZIP_MAX_BYTES = 256 * MEGABYTE
/** An archive within that takes this much room at most: incompressible content, and what ZIP writes around it. */
export const ZIP_MAX_SENT = ZIP_MAX_BYTES + 16 * MEGABYTE

/** Files that one request may name. */
export const PATHS_MAX = 10_000
/** Names in one comparison with the library. */
export const NAMES_MAX = 100_000

export const SORT_ORDERS = ['name', 'size', 'updated_at', 'abrufe', 'zuletzt_abgerufen'] as const
export type SortOrder = (typeof SORT_ORDERS)[number]

/** More rows of a history than these are in no CSV; the newest are. */
export const CSV_ROWS_MAX = 20_000

export const TOKEN_NAME_MAX = 100
/** The end of the year 9999, the last one that dates are written for. */
export const TOKEN_VALID_MAX = Date.UTC(9999, 11, 31)

/** Details of an upload: the picture may be larger than the longest edge that its token allows. */
export const NOT_SCALED = 'unverändert gespeichert: das Bild lässt sich nicht verkleinern'
