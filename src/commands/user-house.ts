/** What the `user` commands share: the accounts of the data folder. */

import { openAdapters } from '../adapters.ts'
import type { Config } from '../config.ts'
import { userName } from '../contract/session.ts'
import { Failure } from '../errors.ts'
import { type Accounts, createAccounts } from '../features/session/accounts.ts'
import { createLock } from '../features/session/lock.ts'
import { createPasswords } from '../features/session/passwords.ts'
import { newId } from '../ids.ts'
import { UsageError } from './command.ts'

const now = Date.now

/** Runs `work` on the accounts; what the service would answer as an error is told as a sentence. */
export async function withAccounts<T>(config: Config, work: (accounts: Accounts) => Promise<T>): Promise<T> {
  const { database } = await openAdapters(config)
  try {
    const lock = createLock({ database, now })
    return await work(createAccounts({ database, passwords: createPasswords(), lock, newId, now }))
  } catch (error) {
    throw error instanceof Failure ? new UsageError(error.sentence) : error
  } finally {
    await database.close()
  }
}

export function checkedName(name: string | undefined): string {
  const result = userName.safeParse(name ?? '')
  if (!result.success) throw new UsageError(`--name ${result.error.issues[0]?.message}.`)
  return result.data
}
