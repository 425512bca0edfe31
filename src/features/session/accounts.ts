/** Accounts: who may use the dashboard. All may do the same. */
import type { Actor } from '../../access/actor.ts'
import type { Session } from '../../access/callers.ts'
import type { AccountInput, PasswordInput } from '../../contract/session.ts'
import type { Database, Queries } from '../../database/database.ts'
import { failure } from '../../errors.ts'
import type { NewId } from '../../ids.ts'
import { recordAdministration } from '../history/administration.store.ts'
import {
  type Account,
  countAccounts,
  deleteAccount,
  findAccount,
  findAccountByName,
  insertAccount,
  listAccounts,
  replacePassword,
} from './accounts.store.ts'
import { clearLock, type Lock } from './lock.ts'
import type { Passwords } from './passwords.ts'
import { deleteSessionsOf } from './sessions.store.ts'
import { closeSetup } from './setup.store.ts'

export interface Accounts {
  list(): Promise<Account[]>
  /** Rejects with 409 when the name is taken. Without `by` it is the operator who does it, here and below. */
  create(input: AccountInput, by?: Actor): Promise<Account>
  /** Ends its sessions. Rejects with 404 when there is none, with 409 when it is the last one. */
  remove(id: string, by?: Actor): Promise<void>
  /** By its owner. Ends every other session of the account; a wrong old password counts as a failed login. */
  changePassword(session: Session, client: string, input: PasswordInput): Promise<void>
  /** By the operator: needs no old password, ends every session, opens every lock of that name. */
  resetPassword(name: string, password: string): Promise<void>
  /** Rejects with 404 when there is none. */
  byName(name: string): Promise<Account>
}

export interface AccountsParts {
  database: Database
  passwords: Passwords
  lock: Lock
  newId: NewId
  now: () => number
}

export function createAccounts({ database, passwords, lock, newId, now }: AccountsParts): Accounts {
  async function byName(name: string) {
    const account = await findAccountByName(database.read, name)
    if (!account) throw failure.accountAbsent()
    return account
  }

  return {
    byName,
    list: () => listAccounts(database.read),

    async create({ benutzer: name, passwort }, by = 'operator') {
      const password = await passwords.hash(passwort)
      const account = { id: newId(), name, password, createdAt: now(), signedInAt: null }
      await database.transaction(tx => addAccount(tx, account, by))
      return account
    },

    remove: (id, by = 'operator') =>
      database.transaction(async tx => {
        const account = await findAccount(tx, id)
        if (!account) throw failure.accountAbsent()
        if ((await countAccounts(tx)) === 1) throw failure.lastAccount()
        await deleteAccount(tx, id)
        await recordAdministration(tx, by, now(), { what: 'konto_geloescht', old: account.name, new: null })
      }),

    async changePassword({ id: current, account: { id, name } }, client, { alt, neu }) {
      const judge = async () => {
        const account = await findAccount(database.read, id)
        if (!account) throw failure.sessionMissing()
        if (!(await passwords.verify(alt, account.password))) throw failure.passwordWrong()
        const to = await passwords.hash(neu)
        await database.transaction(async tx => {
          // Somebody else may have changed it in the meantime; then the old one is no longer right.
          if (!(await replacePassword(tx, { id, from: account.password, to }))) throw failure.passwordWrong()
          await deleteSessionsOf(tx, id, current)
          await recordPassword(tx, { account: name }, now(), name)
        })
      }
      await passwords.admit(client, () => lock.attempt({ name, client }, judge))
    },

    async resetPassword(name, password) {
      const { id } = await byName(name)
      const to = await passwords.hash(password)
      await database.transaction(async tx => {
        const account = await findAccount(tx, id)
        if (!account) throw failure.accountAbsent()
        await replacePassword(tx, { id, from: account.password, to })
        await deleteSessionsOf(tx, id)
        await clearLock(tx, { name })
        await recordPassword(tx, 'operator', now(), account.name)
      })
    },
  }
}

/** With the first account the set-up is over, however it was made. */
export async function addAccount(
  tx: Queries,
  account: Parameters<typeof insertAccount>[1],
  by: Actor,
): Promise<void> {
  if (await findAccountByName(tx, account.name)) throw failure.accountTaken(account.name)
  await insertAccount(tx, account)
  await closeSetup(tx)
  const entry = { what: 'konto_erstellt', old: null, new: account.name } as const
  await recordAdministration(tx, by, account.createdAt, entry)
}

/** Whose it is; of the password itself not even the length. */
function recordPassword(tx: Queries, by: Actor, at: number, name: string): Promise<void> {
  return recordAdministration(tx, by, at, { what: 'passwort_geaendert', old: null, new: name })
}
