/**
 * Limits, lists of choices, and texts for the history, shared by the dashboard and the schemas. They are
 * separate from the schemas, because importing a schema would add all of zod to the dashboard. Lengths of
 * texts are in characters.
 */
import { GIGABYTE, MEGABYTE } from './units.ts'

export const PASSWORD_MIN_LENGTH = 10
/** Without this limit, the service would have to hash very long passwords at sign-ins. */
export const PASSWORD_MAX_LENGTH = 1000
export const USER_NAME_MAX_LENGTH = 64
/**
 * Maximum number of folders to which an account can be limited: queries for such an account compare paths
 * with each of them.
 */
export const ACCOUNT_FOLDERS_MAX = 50
export const PASSKEY_NAME_MAX_LENGTH = 64
/** Minutes for which a passkey's challenge is valid. */
export const CHALLENGE_MINUTES = 5
/**
 * Number of days in the statistics, including today. The daily retrieval counts of single files are removed
 * after that time.
 */
export const STATISTICS_DAYS = 90
/** Number of days for which an invitation is valid: the default, and the maximum. */
export const INVITATION_DEFAULT_DAYS = 7
export const INVITATION_MAX_DAYS = 90

/** Maximum number of picture sizes (`BILDGROESSEN`). */
export const PICTURE_SIZES_MAX = 20

/** Maximum number of rules per external provider that assign roles to people who sign in with it. */
export const EXTERNAL_RULES_MAX = 50

export const PAGE_SIZES = [30, 60, 120, 200] as const
export const DEFAULT_PAGE_SIZE = 60

/** Maximum number of entries and of unpacked bytes of an uploaded ZIP archive. */
export const ZIP_MAX_ENTRIES = 5000
export const ZIP_MAX_BYTES = 256 * MEGABYTE
/**
 * Maximum size of an uploaded ZIP archive: incompressible content is as large in the archive as unpacked, and
 * headers are added.
 */
export const ZIP_MAX_UPLOAD_BYTES = ZIP_MAX_BYTES + 16 * MEGABYTE

/** Maximum number of files that one request may name by their paths. */
export const PATHS_MAX = 10_000
/**
 * Maximum number of files that one request may change, export or download if it means everything that a list
 * with its filters shows, instead of naming files.
 */
export const RESULT_MAX_FILES = 100_000
/** Maximum number of trash entries in one request; a client with more sends several requests. */
export const TRASH_MAX_NUMBERS = 10_000
/**
 * Maximum number of files in a folder that is downloaded as a ZIP. The directory of a ZIP is its last part,
 * so it is kept in memory until the end.
 */
export const DOWNLOAD_MAX_FILES = 100_000
/** Maximum number of names that one request may compare with the library. */
export const NAMES_MAX = 100_000

export const SORT_ORDERS = ['name', 'size', 'updated_at', 'abrufe', 'zuletzt_abgerufen'] as const
export type SortOrder = (typeof SORT_ORDERS)[number]

/** The orientations by which a list of files can be filtered. */
export const ORIENTATIONS = ['quer', 'hoch', 'quadratisch'] as const
export type Orientation = (typeof ORIENTATIONS)[number]
/** Maximum number of tokens by which a list of files can be filtered. */
export const FILTER_MAX_TOKENS = 20
/** A list can show the files that were not retrieved for some days: maximum number of these days. */
export const FILTER_MAX_DAYS = 36_500

/** Maximum number of rows in an exported history (CSV). If there are more, the newest are exported. */
export const CSV_ROWS_MAX = 20_000

export const TOKEN_NAME_MAX_LENGTH = 100
/**
 * The latest time until which a token or a link can be valid, in Unix milliseconds: the last day of the last
 * year with four digits.
 */
export const MAX_VALID_UNTIL = Date.UTC(9999, 11, 31)

/** Maximum number of files and of bytes that visitors of a share link get in one ZIP. */
export const SHARE_ZIP_MAX_FILES = 5000
export const SHARE_ZIP_MAX_BYTES = 4 * GIGABYTE

/**
 * Drop links: the default and the maximum number of files, and the maximum length of the note for visitors.
 */
export const DROP_DEFAULT_FILES = 1000
export const DROP_MAX_FILES = 100_000
export const DROP_NOTE_MAX_LENGTH = 1000

/**
 * A detail in the history: the uploaded picture could not be scaled down, so it may be larger than its token
 * allows.
 */
export const NOT_SCALED_DETAIL = 'unverändert gespeichert: das Bild lässt sich nicht verkleinern'

/** A detail in the history: the file that was at this path before is now in the trash. */
export const REPLACED_FILE_DETAIL = 'die Datei davor liegt jetzt im Papierkorb'
/** A detail in the history: an earlier version of the file at this path was removed, not the file itself. */
export const EARLIER_VERSION_DETAIL = 'eine frühere Fassung'

/** Maximum number of pinned folders of an account, and of its saved filters. */
export const PINNED_MAX = 30
/** Maximum number of characters of a filter's name, and of its query. */
export const FILTER_NAME_MAX_LENGTH = 60
export const FILTER_QUERY_MAX_LENGTH = 1000

/** Maximum number of groups of files with equal content in one request. */
export const DUPLICATES_MAX_GROUPS = 200
/** Maximum number of files that are shown of each group. */
export const DUPLICATES_SHOWN = 12
const DUPLICATE_PREFIX = 'gleicher Inhalt wie '
/**
 * A detail in the history: the file went to the trash because the file at `keptPath` has the same content.
 */
export const duplicateDetail = (keptPath: string) => DUPLICATE_PREFIX + keptPath
/** The path that was given to `duplicateDetail`; null if the detail is another one. */
export const keptPathOf = (detail: string | null) =>
  detail?.startsWith(DUPLICATE_PREFIX) ? detail.slice(DUPLICATE_PREFIX.length) : null

/** Why a file is in the trash: deleted, overwritten, or at the end of its retention period. */
export const TRASH_REASONS = ['geloescht', 'ueberschrieben', 'frist'] as const
export type TrashReason = (typeof TRASH_REASONS)[number]

/** Retention rules: maximum number of rules and of days, and the events with which a period can start. */
export const RETENTION_MAX_RULES = 50
export const RETENTION_MAX_DAYS = 36_500
export const PERIOD_STARTS = ['hochgeladen', 'abgerufen'] as const
export type PeriodStart = (typeof PERIOD_STARTS)[number]
const RETENTION_PREFIX = 'Frist: '
/** A detail in the history: the file went to the trash because of the retention rule of this folder. */
export const retentionDetail = (folder: string) => `${RETENTION_PREFIX}${folder === '' ? '/' : folder}`
/** The folder that was given to `retentionDetail` (`/` for the top); null if the detail is another one. */
export const folderOfRetention = (detail: string | null) =>
  detail?.startsWith(RETENTION_PREFIX) ? detail.slice(RETENTION_PREFIX.length) : null
