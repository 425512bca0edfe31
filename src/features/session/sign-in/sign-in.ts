/**
 * Signing in: checks the login lock and the password, and begins a session. If the account has an
 * authenticator app, a right password leads to a second step, in which a code of the app, or an emergency
 * code, begins the session.
 */
import type { z } from 'zod'
import type { secondStepInput } from '../../../contract/accounts/factors.ts'
import type { LoginInput } from '../../../contract/accounts/session.ts'
import type { Database } from '../../../database/database.ts'
import { failure } from '../../../errors/errors.ts'
import type { Device, Visitor } from '../../../http/access/callers.ts'
import type { Settings } from '../../settings/settings.ts'
import { type AccountWithPassword, findAccount, findAccountByName } from '../accounts.store.ts'
import { factorsOf } from '../factors/factors.store.ts'
import { isFactorRequired } from '../factors/factors.ts'
import { accountOfStep, type LoginSteps } from '../factors/login-step.ts'
import type { Totp } from '../factors/totp.ts'
import type { BegunSession, Sessions } from '../sessions.ts'
import type { LoginLock } from './login-lock.ts'
import type { PasswordHasher, Passwords } from './passwords.ts'

interface SignInParts {
  database: Database
  passwords: Passwords
  lock: LoginLock
  sessions: Sessions
  totp: Totp
  steps: LoginSteps
  settings: Settings
}

/**
 * The result of a right password. If the account must have a second factor and has only passkeys, the person
 * has to sign in with a passkey: the password alone would bypass the second factor.
 */
type PasswordOutcome = BegunSession | { next: 'code'; account: AccountWithPassword } | { next: 'passkey' }

export type SignIn = ReturnType<typeof createSignIn>

export function createSignIn(parts: SignInParts) {
  const { database, passwords, lock, sessions, totp, steps, settings } = parts

  /**
   * Checks a password. An unknown name, a wrong password and an account without a password (it signs in with
   * an external provider) all get 401, with the same message and after the same work.
   */
  async function checkPassword(
    { benutzer, passwort }: LoginInput,
    device: Device,
    { verify }: PasswordHasher,
  ): Promise<PasswordOutcome> {
    const account = await findAccountByName(database.read, benutzer)
    const isCorrect = await verify(passwort, account?.password || null)
    if (!account || !isCorrect) throw failure.loginWrong()
    return database.transaction(async tx => {
      // The password may have been changed while it was being checked. A change ends the other sessions of
      // the account, so the old password must not begin a new one.
      const currentAccount = await findAccount(tx, account.id)
      if (currentAccount?.password !== account.password) throw failure.loginWrong()
      const { hasTotp, passkeyCount } = await factorsOf(tx, currentAccount.id)
      if (hasTotp) return { next: 'code', account: currentAccount }
      if (passkeyCount > 0 && isFactorRequired(currentAccount.role, settings)) return { next: 'passkey' }
      return sessions.begin(tx, currentAccount, device)
    })
  }

  return {
    async withPassword(
      input: LoginInput,
      { clientNetwork, device }: Visitor,
    ): Promise<BegunSession | { step: string }> {
      const passwordOutcome = await passwords.admit(clientNetwork, hasher =>
        lock.attempt(
          { name: input.benutzer, client: clientNetwork },
          () => checkPassword(input, device, hasher),
          {
            shouldClearLock: outcome => 'session' in outcome,
          },
        ),
      )
      if ('session' in passwordOutcome) return passwordOutcome
      if (passwordOutcome.next === 'passkey') throw failure.passkeyRequired()
      return { step: await steps.issue(passwordOutcome.account) }
    },

    /** The second step of a login. For the login lock, a wrong code counts like a wrong password. */
    async withCode({ schritt, code }: z.output<typeof secondStepInput>, { clientNetwork, device }: Visitor) {
      const step = await steps.open(schritt)
      const { id, name } = await accountOfStep(database.read, step)
      return lock.attempt({ name, client: clientNetwork }, async () => {
        const spendCode = await totp.checkCode(id, code)
        return database.transaction(async tx => {
          const account = await accountOfStep(tx, step)
          if (!(await spendCode(tx))) throw failure.codeWrong()
          return sessions.begin(tx, account, device)
        })
      })
    },
  }
}
