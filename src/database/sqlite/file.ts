/** The names in the data folder: of the embedded database's files, and of the folders beside them. */

export const DATABASE_FILE = 'fundus.db'

/**
 * The endings of the files that lie beside a database file: a copy of its log, a note that it could not be
 * flushed, the last number that was seen in it, and a note that changes are missing in it.
 */
export const LOG_COPY = '-wal-copy'
export const UNFLUSHED = '-unflushed'
export const HIGH_WATER = '-high-water'
export const LOST_CHANGES = '-lost-changes'

/** Of those, and of the files that SQLite keeps there. */
export const BESIDE_DATABASE = [
  ...(['-wal', '-shm', '-journal'] as const),
  ...([LOG_COPY, UNFLUSHED, HIGH_WATER, LOST_CHANGES] as const),
]

/**
 * The folders of an instance, beside its database. Everything else in the data folder is not part of the
 * instance and is never moved.
 */
export const INSTANCE_FOLDERS = ['files', 'thumbs', 'trash', 'staging'] as const
