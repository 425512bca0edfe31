/** The names of the embedded database's files in the data folder. */
export const DATABASE_FILE = 'fundus.db'

/** The endings of the files that SQLite keeps beside a database file. */
export const BESIDE_DATABASE = ['-wal', '-shm', '-journal'] as const
