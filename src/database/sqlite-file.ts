/** The embedded database's file, in the data folder. */
export const DATABASE_FILE = 'fundus.db'

/** What SQLite keeps beside a file of its own. */
export const BESIDE_DATABASE = ['-wal', '-shm', '-journal'] as const
