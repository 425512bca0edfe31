/**
 * Limits of what clients send and of what one request may ask for, shared by the dashboard and the schemas.
 * They are separate from the schemas, because importing a schema would add all of zod to the dashboard. The
 * same holds for `page-sizes.ts`, `files/choices.ts` and `upload/zip-limits.ts`. Lengths of texts are in
 * characters.
 */
import { GIGABYTE } from './units.ts'

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

/** Maximum number of files that one request may name by their paths. */
export const PATHS_MAX = 10_000
/**
 * Maximum number of files that one request may change, export or download if it does not name files but
 * refers to all files that a filtered list shows.
 */
export const RESULT_MAX_FILES = 100_000
/** Maximum number of trash entries in one request; a client with more sends several requests. */
export const TRASH_REQUEST_MAX_ENTRIES = 10_000
/**
 * Maximum number of files in a folder that is downloaded as a ZIP. The directory of a ZIP is its last part,
 * so it is kept in memory until the end.
 */
export const DOWNLOAD_MAX_FILES = 100_000
/** Maximum number of names that one request may compare with the library. */
export const NAMES_MAX = 100_000

/** Maximum number of tokens by which a list of files can be filtered. */
export const FILTER_MAX_TOKENS = 20
/** Maximum number of days for the filter by files that were not retrieved for that many days. */
export const FILTER_MAX_DAYS = 36_500

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

/** Maximum number of pinned folders of an account, and of its saved filters. */
export const BOOKMARKS_MAX = 30
/** Maximum number of characters of a filter's name, and of its query. */
export const FILTER_NAME_MAX_LENGTH = 60
export const FILTER_QUERY_MAX_LENGTH = 1000

/** Maximum number of groups of files with equal content in one request. */
export const DUPLICATES_MAX_GROUPS = 200
/** Maximum number of files that are shown of each group. */
export const DUPLICATES_MAX_SHOWN = 12
/** Retention rules: maximum number of rules and of days. */
export const RETENTION_MAX_RULES = 50
export const RETENTION_MAX_DAYS = 36_500
