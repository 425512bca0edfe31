/** Opens the database of several machines, and says in a sentence why it cannot be used. */
import { addressOf, ConfigError } from './config.ts'
import { type Database, DatabaseRefusedError, DatabaseUnavailableError } from './database/database.ts'
import { NewerDatabaseError } from './database/migrate.ts'
import { openPostgres, type PostgresOptions } from './database/postgres.ts'

/** Rejects with `ConfigError` where the database cannot be used. */
export const openSharedDatabase = (options: PostgresOptions): Promise<Database> =>
  tellingWhy(options.url, () => openPostgres(options))

/** Runs `work` on the database at this address; rejects with `ConfigError` where it cannot be used. */
export async function tellingWhy<T>(url: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const reason = reasonOf(error)
    throw reason === null
      ? error
      : new ConfigError(`Die Datenbank ${addressOf(url)} ist nicht benutzbar: ${reason}.`)
  }
}

function reasonOf(error: unknown): string | null {
  if (error instanceof NewerDatabaseError)
    return 'sie stammt von einer neueren Version von Fundus und blieb unverändert'
  if (error instanceof DatabaseRefusedError)
    return `mit ${error.names.map(name => `${name} = off`).join(' und ')} überlebt Bestätigtes keinen Stromausfall`
  const state = sqlStateOf(error) ?? sqlStateOf((error as Error | undefined)?.cause)
  if (state !== null && SENTENCES[state] !== undefined) return SENTENCES[state]
  return error instanceof DatabaseUnavailableError ? 'sie antwortet nicht' : null
}

const RIGHTS_MISSING =
  'dem Benutzerkonto fehlt das Recht, dort ein Schema und die Erweiterung pg_trgm anzulegen'
const WRONG_PASSWORD = 'sie weist Benutzer oder Kennwort ab; bitte DATABASE_URL prüfen'
const EXTENSION_MISSING = 'die Erweiterung pg_trgm ist auf ihrem Server nicht installiert'

/** By SQLSTATE (PostgreSQL manual, appendix A). */
const SENTENCES: Readonly<Record<string, string>> = {
  '28P01': WRONG_PASSWORD,
  '28000': WRONG_PASSWORD,
  '3D000': 'es gibt sie auf diesem Server nicht',
  '42501': RIGHTS_MISSING,
  '0A000': EXTENSION_MISSING,
  '58P01': EXTENSION_MISSING,
}

function sqlStateOf(error: unknown): string | null {
  const state = (error as { errno?: unknown } | null | undefined)?.errno
  return typeof state === 'string' ? state : null
}
