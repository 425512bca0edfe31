/** Opens the database and a feature for the work of one command, and closes the database afterwards. */
import { type Adapters, openAdapters } from '../../adapters/adapters.ts'
import { newId } from '../../base/ids.ts'
import { Failure, sentencePair } from '../../errors/failure.ts'
import { type Accounts, createAccounts } from '../../features/session/accounts.ts'
import { createInvitations, type Invitations } from '../../features/session/invitations/invitations.ts'
import { createSessions } from '../../features/session/sessions.ts'
import { createLoginLock } from '../../features/session/sign-in/login-lock.ts'
import { createPasswords } from '../../features/session/sign-in/passwords.ts'
import { createSettingsEditor, type SettingsEditor } from '../../features/settings/edit-settings.ts'
import { createSettings, type ResolvedSettings } from '../../features/settings/settings.ts'
import { createLastUseRecorder } from '../../features/tokens/last-used.ts'
import { createTokens, type Tokens } from '../../features/tokens/tokens.ts'
import { type CommandContext, UsageError } from './command.ts'

type InstanceContext = Pick<CommandContext, 'config' | 'log'>

/** Opens the database for `action`. A `Failure` becomes a command error with the same sentence. */
async function withDatabase<T>(
  { config, log }: InstanceContext,
  action: (parts: Pick<Adapters, 'database' | 'now'>) => Promise<T> | T,
): Promise<T> {
  await using adapters = await openAdapters(config, { log })
  try {
    return await action(adapters)
  } catch (error) {
    throw error instanceof Failure ? new UsageError(...sentencePair(error)) : error
  }
}

export const withTokens = <T>(
  instance: InstanceContext,
  action: (tokens: Tokens) => Promise<T>,
): Promise<T> =>
  withDatabase(instance, ({ database, now }) =>
    action(createTokens({ database, lastUsed: createLastUseRecorder({ database, now }), newId, now })),
  )

export const withAccounts = <T>(
  instance: InstanceContext,
  action: (accounts: Accounts) => Promise<T>,
): Promise<T> =>
  withDatabase(instance, ({ database, now }) => {
    const lock = createLoginLock({ database, now })
    return action(createAccounts({ database, passwords: createPasswords(Bun.password), lock, newId, now }))
  })

/** `publicUrl`: the base address of invitation links. */
export const withInvitations = <T>(
  instance: InstanceContext,
  action: (invitations: Invitations, publicUrl: string) => Promise<T>,
): Promise<T> =>
  withDatabase(instance, ({ database, now }) => {
    const { environment, port } = instance.config
    const { PUBLIC_URL } = createSettings({ environment, port, database }).current()
    const lock = createLoginLock({ database, now })
    const passwords = createPasswords(Bun.password)
    const sessions = createSessions({ database, now })
    return action(createInvitations({ database, passwords, lock, sessions, newId, now }), PUBLIC_URL)
  })

/** Settings that `action` saves take effect at once, in a running service too. */
export const withSettings = <T>(
  instance: InstanceContext,
  action: (settings: ResolvedSettings, editor: SettingsEditor) => Promise<T> | T,
): Promise<T> =>
  withDatabase(instance, ({ database, now }) => {
    const { environment, port } = instance.config
    const settings = createSettings({ environment, port, database })
    return action(settings, createSettingsEditor({ database, settings, now }))
  })
