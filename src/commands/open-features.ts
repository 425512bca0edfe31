/** Opens a feature on the data folder for one command, and closes the database afterwards. */
import { openAdapters } from '../adapters.ts'
import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'
import { Failure } from '../errors.ts'
import { type Accounts, createAccounts } from '../features/session/accounts.ts'
import { createLock } from '../features/session/lock.ts'
import { createPasswords } from '../features/session/passwords.ts'
import { createSettingsEditor, type SettingsEditor } from '../features/settings/edit-settings.ts'
import { createSettings, type ResolvedSettings } from '../features/settings/settings.ts'
import { createLastUsed } from '../features/tokens/last-used.ts'
import { createTokens, type Tokens } from '../features/tokens/tokens.ts'
import { newId } from '../ids.ts'
import { UsageError } from './command.ts'

const now = Date.now

/** Runs `work` on the database. A `Failure` of a feature becomes a command error with the same sentence. */
async function withDatabase<T>(config: Config, work: (database: Database) => Promise<T> | T): Promise<T> {
  const { database } = await openAdapters(config)
  try {
    return await work(database)
  } catch (error) {
    throw error instanceof Failure ? new UsageError(error.sentence) : error
  } finally {
    await database.close()
  }
}

export const withTokens = <T>(config: Config, work: (tokens: Tokens) => Promise<T>): Promise<T> =>
  withDatabase(config, database =>
    work(createTokens({ database, lastUsed: createLastUsed({ database, now }), newId, now })),
  )

export const withAccounts = <T>(config: Config, work: (accounts: Accounts) => Promise<T>): Promise<T> =>
  withDatabase(config, database => {
    const lock = createLock({ database, now })
    return work(createAccounts({ database, passwords: createPasswords(Bun.password), lock, newId, now }))
  })

/** Runs `work` on the settings. A running service uses at once what `work` saves. */
export const withSettings = <T>(
  config: Config,
  work: (settings: ResolvedSettings, editor: SettingsEditor) => Promise<T> | T,
): Promise<T> =>
  withDatabase(config, database => {
    const { environment, port } = config
    const settings = createSettings({ environment, port, saved: database })
    return work(settings, createSettingsEditor({ database, settings, now }))
  })
