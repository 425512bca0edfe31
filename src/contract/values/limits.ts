/**
 * Limits and choices that forms of the dashboard show before a request is sent. They are not in the files of
 * the schemas, which use them: the dashboard needs these values at run time, and importing a schema would
 * include all of zod.
 */
import { MEGABYTE } from './units.ts'

export const PASSWORD_MIN = 10
/**
 * Far longer than any sentence that a person remembers. Without a limit a login could send megabytes to the
 * hash.
 */
export const PASSWORD_MAX = 1000
export const NAME_MAX = 64

export const PAGE_SIZES = [30, 60, 120, 200] as const
export const DEFAULT_PAGE_SIZE = 60

/** The most entries and unpacked bytes of an archive. */
export const ZIP_MAX_ENTRIES = 5000
export const ZIP_MAX_BYTES = 256 * MEGABYTE
/** The most bytes that such an archive has when sent: incompressible content, and the headers of ZIP. */
export const ZIP_MAX_SENT = ZIP_MAX_BYTES + 16 * MEGABYTE

/** The most files that one request may name. */
export const PATHS_MAX = 10_000
/** The most files of a whole result that one request may change, export or download. */
export const RESULT_MAX_FILES = 100_000
/** The most trash numbers in one request; a client with more sends several requests. */
export const TRASH_MAX_NUMBERS = 10_000
/**
 * The most files of one archive to download. Its directory, which stands at the end, is kept in memory until
 * then.
 */
export const DOWNLOAD_MAX_FILES = 100_000
/** The most names in one comparison with the library. */
export const NAMES_MAX = 100_000

export const SORT_ORDERS = ['name', 'size', 'updated_at', 'abrufe', 'zuletzt_abgerufen'] as const
export type SortOrder = (typeof SORT_ORDERS)[number]

/** The most rows in a CSV of a history; a CSV contains the newest rows. */
export const CSV_ROWS_MAX = 20_000

export const TOKEN_NAME_MAX = 100
/** The end of the year 9999, the last year with a four-digit date. */
export const TOKEN_VALID_MAX = Date.UTC(9999, 11, 31)

/**
 * A detail in the history of an upload: the picture may be larger than the longest edge that its token
 * allows.
 */
export const NOT_SCALED = 'unverändert gespeichert: das Bild lässt sich nicht verkleinern'
