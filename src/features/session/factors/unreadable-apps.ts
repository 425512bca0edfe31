/**
 * Finds authenticator apps whose secret cannot be decrypted, for example after the database was moved without
 * its key.
 */
import type { Adapters } from '../../../adapters/adapters.ts'
import { listTotp } from './factors.store.ts'
import { createInstanceKey } from './instance-key.ts'

/** Returns the names of the accounts whose authenticator app has a secret that cannot be decrypted. */
export async function findAccountsWithUnreadableApp({
  database,
  storage,
}: Pick<Adapters, 'database' | 'storage'>): Promise<string[]> {
  const key = createInstanceKey({ storage })
  const names: string[] = []
  for (const { id, name, secret } of await listTotp(database.read))
    if ((await key.open(`totp ${id}`, secret)) === null) names.push(name)
  return names
}
