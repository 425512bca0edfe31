/** Accounts: who may use the dashboard. All may do the same. */
import type { AccountInput, PasswordInput } from '../../contract/session.ts'
import type { Database, Queries } from '../../database/database.ts'
import { failure } from '../../errors.ts'
import type { NewId } from '../../ids.ts'
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
import type { Session } from './sessions.ts'
import { closeSetup } from './setup.store.ts'

export interface Accounts {
  list(): Promise<Account[]>
  /** Rejects with 409 when the name is taken. */
  create(input: AccountInput): Promise<Account>
  /** Ends its sessions. Rejects with 404 when there is none, with 409 when it is the last one. */
  remove(id: string): Promise<void>
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

    async create({ benutzer: name, passwort }) {
      const password = await passwords.admit(() => passwords.hash(passwort))
      const account = { id: newId(), name, password, createdAt: now(), signedInAt: null }
      await database.transaction(tx => addAccount(tx, account))
      return account
    },

    remove: id =>
      database.transaction(async tx => {
        if (!(await findAccount(tx, id))) throw failure.accountAbsent()
        if ((await countAccounts(tx)) === 1) throw failure.lastAccount()
        await deleteAccount(tx, id)
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
        })
      }
      await passwords.admit(() => lock.attempt({ name, client }, judge))
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
      })
    },
  }
}

/** With the first account the set-up is over, however it was made. */
export async function addAccount(tx: Queries, account: Parameters<typeof insertAccount>[1]): Promise<void> {
  if (await findAccountByName(tx, account.name)) throw failure.accountTaken(account.name)
  await insertAccount(tx, account)
  await closeSetup(tx)
}
