/** All second factors of accounts: authenticator app, emergency codes and passkeys. */
import type { Role } from '../../../contract/accounts/roles.ts'
import type { Session } from '../../../http/access/callers.ts'
import type { FeatureParts } from '../../feature.ts'
import type { Settings } from '../../settings/settings.ts'
import { findAccount, isExternal } from '../accounts.store.ts'
import type { Sessions } from '../sessions.ts'
import type { LoginLock } from '../sign-in/login-lock.ts'
import type { Passwords } from '../sign-in/passwords.ts'
import { createChallenges, deleteExpiredChallenges } from './challenges.ts'
import { factorsByAccount, factorsOf } from './factors.store.ts'
import { createInstanceKey } from './instance-key.ts'
import { createLoginSteps } from './login-step.ts'
import { createPasskeys } from './passkeys.ts'
import { createTotp } from './totp.ts'

interface FactorParts extends Pick<FeatureParts, 'database' | 'storage' | 'settings' | 'newId' | 'now'> {
  passwords: Passwords
  lock: LoginLock
  sessions: Sessions
}

/**
 * Whether `ZWEITER_FAKTOR` demands a second factor for this role. Accounts with an external provider are
 * exempt.
 */
export function isFactorRequired(role: Role, settings: Settings): boolean {
  const { ZWEITER_FAKTOR } = settings.current()
  return ZWEITER_FAKTOR === 'alle' || (ZWEITER_FAKTOR === 'betreiber' && role === 'betreiber')
}

export type Factors = ReturnType<typeof createFactors>

export function createFactors(parts: FactorParts) {
  const { database, now } = parts
  const key = createInstanceKey(parts)
  const challenges = createChallenges({ key, now })
  return {
    totp: createTotp({ ...parts, key }),
    steps: createLoginSteps({ key, now }),
    passkeys: createPasskeys({ ...parts, challenges }),
    get: (accountId: string) => factorsOf(database.read, accountId),
    /** Whether `ZWEITER_FAKTOR` demands a second factor that the account does not have. */
    async areMissing({ id, role }: Session['account']): Promise<boolean> {
      if (!isFactorRequired(role, parts.settings)) return false
      const account = await findAccount(database.read, id)
      // The external provider is responsible for the second factors of its accounts.
      if (account && isExternal(account)) return false
      const { hasTotp, passkeyCount } = await factorsOf(database.read, id)
      return !hasTotp && passkeyCount === 0
    },
    listByAccount: () => factorsByAccount(database.read),
    removeExpiredChallenges: () => database.transaction(tx => deleteExpiredChallenges(tx, now())),
  }
}
