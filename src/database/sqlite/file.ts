/** Names in the data folder: the SQLite files, and the folders beside them. */

export const DATABASE_FILE = 'fundus.db'

/**
 * Suffixes of files beside the database: a copy of its log, a note that it could not be flushed, the
 * high-water mark, and a note that changes are missing.
 */
export const LOG_COPY_SUFFIX = '-wal-copy'
export const UNFLUSHED_SUFFIX = '-unflushed'
export const HIGH_WATER_SUFFIX = '-high-water'
export const LOST_CHANGES_SUFFIX = '-lost-changes'

/** Suffixes of all files beside the database, including SQLite's own. */
export const SIDE_FILE_SUFFIXES = [
  ...(['-wal', '-shm', '-journal'] as const),
  ...([LOG_COPY_SUFFIX, UNFLUSHED_SUFFIX, HIGH_WATER_SUFFIX, LOST_CHANGES_SUFFIX] as const),
]

/**
 * The folders of an instance. Nothing else in the data folder belongs to the instance, and nothing else is
 * moved.
 */
export const INSTANCE_FOLDERS = ['files', 'thumbs', 'trash', 'staging', 'partial'] as const
