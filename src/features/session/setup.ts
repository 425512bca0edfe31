/** Creates the first account: from the environment, or by a person with the set-up code from the log. */
import { isSameSecret } from '../../base/hash/sha256.ts'
import type { Log } from '../../base/log.ts'
import type { AccountInput, SetupInput } from '../../contract/accounts/session.ts'
import { failure } from '../../errors/errors.ts'
import type { Device, Visitor } from '../../http/access/callers.ts'
import type { FeatureParts } from '../feature.ts'
import { countAccounts } from './accounts.store.ts'
import { addAccount } from './accounts.ts'
import type { BegunSession, Sessions } from './sessions.ts'
import { findSetupCode, insertSetupCode } from './setup.store.ts'
import type { LoginLock } from './sign-in/login-lock.ts'
import type { PasswordHasher, Passwords } from './sign-in/passwords.ts'
import { normalizeTypedCode } from './typed-code.ts'

/**
 * Number of characters of a set-up code. Each has 5 bits, 60 in total; the alphabet is without `I`, `L`, `O`
 * and `U`.
 */
const CODE_LENGTH = 12
/**
 * A name that no account has. The login lock counts failed attempts with a set-up or invitation code under
 * this name.
 */
export const CODE_ATTEMPTS_NAME = ''

interface SetupParts extends Pick<FeatureParts, 'database' | 'newId' | 'now'> {
  passwords: Passwords
}

/**
 * Runs at startup. If an account exists, does nothing and returns null. Otherwise creates the account that
 * the environment names and returns null; if the environment names none, returns the set-up code for the
 * operator. The code is the same at every start and in every process, so that a code that was copied before
 * stays valid.
 */
export async function prepareSetup(
  parts: SetupParts & { admin: AccountInput | null; log: Log },
): Promise<string | null> {
  const { database, passwords, newId, now, admin, log } = parts
  if ((await countAccounts(database.read)) > 0) return null
  const passwordHash = admin && (await passwords.hash(admin.passwort))
  const outcome = await database.transaction(async tx => {
    // Another process that is starting may have created the account since the check above.
    if ((await countAccounts(tx)) > 0) return 'done'
    if (!admin || !passwordHash) {
      const existingCode = await findSetupCode(tx)
      const code = existingCode ?? newId(CODE_LENGTH).toUpperCase()
      if (existingCode === null) await insertSetupCode(tx, code, now())
      return { code }
    }
    await addAccount(
      tx,
      firstAccountRow({ id: newId(), name: admin.benutzer, password: passwordHash }, now()),
      'service',
    )
    return 'made'
  })
  if (outcome === 'made') log.info('first account made from the environment')
  return typeof outcome === 'string' ? null : outcome.code.match(/.{4}/g)!.join('-')
}

export type Setup = ReturnType<typeof createSetup>

export function createSetup(parts: SetupParts & { lock: LoginLock; sessions: Sessions }) {
  const { database, passwords, lock, sessions, newId, now } = parts
  /** True while no account exists. */
  const isOpen = async () => (await countAccounts(database.read)) === 0

  async function createFirstAccount(
    { code, benutzer: name, passwort }: SetupInput,
    device: Device,
    { hash }: PasswordHasher,
  ): Promise<BegunSession> {
    const expectedCode = await findSetupCode(database.read)
    // Checked before the code. If another request has just finished the set-up, there is no code any more,
    // and a right code must not be reported as wrong.
    if (!(await isOpen())) throw failure.setupDone()
    if (!expectedCode || !isSameSecret(normalizeTypedCode(code), normalizeTypedCode(expectedCode)))
      throw failure.setupCodeWrong()
    const passwordHash = await hash(passwort)
    return database.transaction(async tx => {
      if ((await countAccounts(tx)) > 0) throw failure.setupDone()
      const account = firstAccountRow({ id: newId(), name, password: passwordHash }, now())
      await addAccount(tx, account, { account: name })
      return sessions.begin(tx, account, device)
    })
  }

  return {
    isOpen,
    /** Creates the first account. Rejects with 409 once there is one, with 403 for a wrong code. */
    async complete(input: SetupInput, { clientNetwork, device }: Visitor) {
      if (!(await isOpen())) throw failure.setupDone()
      return passwords.admit(clientNetwork, hasher =>
        lock.attempt({ name: CODE_ATTEMPTS_NAME, client: clientNetwork }, () =>
          createFirstAccount(input, device, hasher),
        ),
      )
    },
  }
}

const firstAccountRow = (columns: { id: string; name: string; password: string }, createdAt: number) =>
  ({ ...columns, created_at: createdAt, signed_in_at: null, role: 'betreiber', folders: null }) as const
