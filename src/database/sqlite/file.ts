/** Names in the data folder: the SQLite files, and the folders beside them. */

export const DATABASE_FILE = 'fundus.db'

/**
 * Suffixes of files beside the database: a copy of its log, a note that it could not be flushed, the
 * high-water mark, and a note that changes are missing.
 */
export const LOG_COPY = '-wal-copy'
export const UNFLUSHED_END = '-unflushed'
export const HIGH_WATER = '-high-water'
export const LOST_CHANGES = '-lost-changes'

/** Suffixes of all files beside the database, including SQLite's own. */
export const BESIDE_DATABASE = [
  ...(['-wal', '-shm', '-journal'] as const),
  ...([LOG_COPY, UNFLUSHED_END, HIGH_WATER, LOST_CHANGES] as const),
]

/**
 * The folders of an instance. Nothing else in the data folder belongs to the instance, and nothing else is
 * moved.
 */
export const INSTANCE_FOLDERS = ['files', 'thumbs', 'trash', 'staging', 'partial'] as const
