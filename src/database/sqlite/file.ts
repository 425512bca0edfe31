/** Names in the data folder: the database file, the files beside it, and the folders of the instance. */

export const DATABASE_FILE = 'fundus.db'

/**
 * Suffixes of the files that we put beside the database: a copy of its log, a note that the database could
 * not be flushed, the high-water mark (`high-water.ts`), and the marker that committed changes are missing.
 */
export const LOG_COPY_SUFFIX = '-wal-copy'
export const UNFLUSHED_SUFFIX = '-unflushed'
export const HIGH_WATER_SUFFIX = '-high-water'
export const LOST_CHANGES_SUFFIX = '-lost-changes'

/** Suffixes of the files beside the database: SQLite's own, then ours. */
export const SIDE_FILE_SUFFIXES = [
  ...(['-wal', '-shm', '-journal'] as const),
  ...([LOG_COPY_SUFFIX, UNFLUSHED_SUFFIX, HIGH_WATER_SUFFIX, LOST_CHANGES_SUFFIX] as const),
]

/**
 * The folders of an instance in the data folder. A restore and `migrate` replace them together with the
 * database (`swap.ts`).
 */
export const INSTANCE_FOLDERS = ['files', 'thumbs', 'trash', 'staging', 'partial'] as const
