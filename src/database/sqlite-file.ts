/** The names in the data folder: of the embedded database's files, and of the folders beside them. */

export const DATABASE_FILE = 'fundus.db'

/** The endings of the files that SQLite keeps beside a database file. */
export const BESIDE_DATABASE = ['-wal', '-shm', '-journal'] as const

/**
 * The folders of an instance, beside its database. Everything else in the data folder is not part of the instance and
 * is never moved.
 */
export const INSTANCE_FOLDERS = ['files', 'thumbs', 'trash', 'staging'] as const
