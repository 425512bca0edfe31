/** Signing in: checks the login lock and the password, and begins a session. */
import type { LoginInput } from '../../contract/accounts/session.ts'
import type { Database } from '../../database/database.ts'
import { failure } from '../../errors/errors.ts'
import type { Device, Visitor } from '../../http/access/callers.ts'
import { findAccount, findAccountByName } from './accounts.store.ts'
import type { Lock } from './lock.ts'
import type { Computations, Passwords } from './passwords.ts'
import type { BegunSession, Sessions } from './sessions.ts'

export type SignIn = (input: LoginInput, visitor: Visitor) => Promise<BegunSession>

interface SignInParts {
  database: Database
  passwords: Passwords
  lock: Lock
  sessions: Sessions
}

/** An unknown name and a wrong password both get 401, with the same words and after the same work. */
export function createSignIn({ database, passwords, lock, sessions }: SignInParts): SignIn {
  async function judge(
    { benutzer, passwort }: LoginInput,
    device: Device,
    { verify }: Computations,
  ): Promise<BegunSession> {
    const account = await findAccountByName(database.read, benutzer)
    const right = await verify(passwort, account?.password ?? null)
    if (!account || !right) throw failure.loginWrong()
    return database.transaction(async tx => {
      // The password may have been changed while it was being checked. That ended all sessions, so the old
      // password must not begin a new one.
      const present = await findAccount(tx, account.id)
      if (present?.password !== account.password) throw failure.loginWrong()
      return sessions.begin(tx, present, device)
    })
  }

  return (input, { client, device }) =>
    passwords.admit(client, computations =>
      lock.attempt({ name: input.benutzer, client }, () => judge(input, device, computations)),
    )
}
