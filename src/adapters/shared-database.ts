/** Opens the PostgreSQL database. If that fails for a known reason, the message of the error explains it. */

import type { TextPair } from '../base/language.ts'
import { ConfigError, databaseAddress } from '../config/config.ts'
import { ownValue } from '../contract/values/own-value.ts'
import {
  type Database,
  DatabaseBusyError,
  DatabaseRefusedError,
  DatabaseUnavailableError,
} from '../database/database.ts'
import { NewerDatabaseError } from '../database/migrate.ts'
import { openPostgres, type PostgresOptions } from '../database/postgres/postgres.ts'

export const openSharedDatabase = (options: PostgresOptions): Promise<Database> =>
  withReadableErrors(options.url, () => openPostgres(options))

/** Runs `work`, which uses the database at `url`. An error with a known reason becomes a `ConfigError`. */
export async function withReadableErrors<T>(url: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const reason = databaseErrorReason(error)
    if (reason === null) throw error
    const [german, english] = reason
    throw new ConfigError(
      `Die Datenbank ${databaseAddress(url)} ist nicht benutzbar: ${german}.`,
      `The database ${databaseAddress(url)} cannot be used: ${english}.`,
    )
  }
}

function databaseErrorReason(error: unknown): TextPair | null {
  if (error instanceof NewerDatabaseError) return NEWER_VERSION
  if (error instanceof DatabaseBusyError) return DATABASE_BUSY
  if (error instanceof DatabaseRefusedError && error.reason === 'pooled') return POOLER_INTERFERES
  if (error instanceof DatabaseRefusedError) {
    const disabledSettings = error.settingNames.map(name => `${name} = off`)
    return [
      `mit ${disabledSettings.join(' und ')} überlebt Bestätigtes keinen Stromausfall`,
      `with ${disabledSettings.join(' and ')} what was confirmed does not survive a power cut`,
    ]
  }
  const sqlState = sqlStateOf(error) ?? sqlStateOf((error as Error | undefined)?.cause)
  const reason = ownValue(REASONS_BY_SQLSTATE, sqlState ?? '')
  return reason ?? (error instanceof DatabaseUnavailableError ? NO_ANSWER : null)
}

const NEWER_VERSION: TextPair = [
  'sie stammt von einer neueren Version von Fundus und blieb unverändert',
  'it is of a newer version of Fundus and was left as it is',
]
const NO_ANSWER: TextPair = ['sie antwortet nicht', 'it does not answer']
const DATABASE_BUSY: TextPair = [
  'ein anderer Prozess schreibt seit mehr als zwei Minuten darin; welcher, steht im Protokoll',
  'another process has been writing to it for more than two minutes; the log says which',
]
const POOLER_INTERFERES: TextPair = [
  'zwischen ihr und Fundus verwirft ein Programm die Einstellungen der Verbindung (PgBouncer und ähnliche); bitte die Adresse von PostgreSQL selbst angeben',
  'a program between it and Fundus drops the settings of the connection (PgBouncer and the like); please give the address of PostgreSQL itself',
]
const RIGHTS_MISSING: TextPair = [
  'dem Benutzerkonto fehlt das Recht, dort ein Schema und die Erweiterung pg_trgm anzulegen',
  'its user lacks the right to make a schema and the extension pg_trgm there',
]
const WRONG_PASSWORD: TextPair = [
  'sie weist Benutzer oder Kennwort ab; bitte DATABASE_URL prüfen',
  'it refuses user or password; please check DATABASE_URL',
]
const EXTENSION_MISSING: TextPair = [
  'die Erweiterung pg_trgm ist auf ihrem Server nicht installiert',
  'the extension pg_trgm is not installed on its server',
]

/** Why the database cannot be used, by SQLSTATE (PostgreSQL manual, appendix A). */
const REASONS_BY_SQLSTATE: Readonly<Record<string, TextPair>> = {
  '28P01': WRONG_PASSWORD,
  '28000': WRONG_PASSWORD,
  '3D000': ['es gibt sie auf diesem Server nicht', 'it does not exist on this server'],
  '42501': RIGHTS_MISSING,
  '0A000': EXTENSION_MISSING,
  '58P01': EXTENSION_MISSING,
  '08P01': POOLER_INTERFERES,
}

function sqlStateOf(error: unknown): string | null {
  const sqlState = (error as { errno?: unknown } | null | undefined)?.errno
  return typeof sqlState === 'string' ? sqlState : null
}
