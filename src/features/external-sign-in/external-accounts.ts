/**
 * Accounts that sign in with an external provider. An account belongs to one person at one provider and is
 * found only by the provider and the provider's id of the person: a local account of the same name is never
 * taken over. The rules set role and folders anew at each sign-in.
 */
import { EXTERNAL_SIGN_IN_LIFETIME } from '../../contract/accounts/external.ts'
import { userName } from '../../contract/accounts/session.ts'
import { USER_NAME_MAX_LENGTH } from '../../contract/values/input-limits.ts'
import type { Queries } from '../../database/database.ts'
import { failure } from '../../errors/errors.ts'
import type { Device } from '../../http/access/callers.ts'
import type { AccountRights } from '../../http/access/library-area.ts'
import type { FeatureParts } from '../feature.ts'
import { countAccounts, findAccountByName } from '../session/accounts.store.ts'
import { addAccount, changeRights, withdrawInvitations } from '../session/accounts.ts'
import { recordFirstUse } from '../session/factors/challenges.ts'
import { deleteSessionsOf } from '../session/sessions.store.ts'
import type { BegunSession, Sessions } from '../session/sessions.ts'
import { type ExternalId, findExternalAccount } from './external-accounts.store.ts'
import type { PendingSignIn } from './pending-sign-in.ts'
import type { Identity } from './provider.ts'

interface ExternalAccountsParts extends Pick<FeatureParts, 'database' | 'newId' | 'now'> {
  sessions: Sessions
}

/** Maximum number of names tried for a new account. */
const MAX_NAMES_TRIED = 100

export function createExternalAccounts({ database, sessions, newId, now }: ExternalAccountsParts) {
  async function createAccount(
    tx: Queries,
    externalId: ExternalId,
    { names }: Identity,
    rights: AccountRights,
  ) {
    const name = await findFreeName(tx, names)
    const account = { id: newId(), name, password: '', created_at: now(), signed_in_at: null, ...rights }
    await addAccount(tx, { ...account, ...externalId }, 'service')
    return account
  }

  return {
    /**
     * Begins a session, and first creates the account if the person has none. If no rule matches (`rights` is
     * null), returns null, and an existing account loses its sessions and the invitations that it has issued.
     * Rejects if this sign-in was used before, if the service has no account yet, if no free account name is
     * found, or if the only operator would lose that role.
     */
    beginSession: (
      origin: string,
      identity: Identity,
      { rights, pending, device }: { rights: AccountRights | null; pending: PendingSignIn; device: Device },
    ): Promise<BegunSession | null> =>
      database.transaction(async tx => {
        const time = now()
        if (!(await recordFirstUse(tx, pending.state, time + EXTERNAL_SIGN_IN_LIFETIME)))
          throw failure.externalExpired()
        // The first account invalidates the set-up code. It must not come from an external sign-in, or the
        // operator could no longer create an account with the code.
        if ((await countAccounts(tx)) === 0) throw failure.setupOpen()
        const externalId = { origin, subject: identity.subject }
        const knownAccount = await findExternalAccount(tx, externalId)
        if (!rights) {
          if (knownAccount) {
            await deleteSessionsOf(tx, knownAccount.id)
            await withdrawInvitations(tx, knownAccount, { actor: 'service', time })
          }
          return null
        }
        if (knownAccount) await changeRights(tx, knownAccount, rights, { actor: 'service', time })
        const account = knownAccount
          ? { ...knownAccount, ...rights }
          : await createAccount(tx, externalId, identity, rights)
        return sessions.begin(tx, account, device)
      }),
  }
}

/**
 * Finds a free account name: the first usable one of `names`, or `Konto` if none is usable. If that name is
 * taken, a number is appended. Rejects if `MAX_NAMES_TRIED` such names are taken.
 */
async function findFreeName(tx: Queries, names: readonly unknown[]): Promise<string> {
  const baseName = names.map(accountNameOf).find(name => name !== null) ?? 'Konto'
  for (let number = 1; number <= MAX_NAMES_TRIED; number++) {
    const suffix = number === 1 ? '' : ` ${number}`
    const name = `${[...baseName]
      .slice(0, USER_NAME_MAX_LENGTH - suffix.length)
      .join('')
      .trim()}${suffix}`
    if (!(await findAccountByName(tx, name))) return name
  }
  throw failure.accountTaken(baseName)
}

/** The value as an account name; null if it cannot become one. */
export function accountNameOf(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const tidyName = value.normalize('NFC').replace(/\s+/g, ' ').trim()
  const parsedName = userName.safeParse([...tidyName].slice(0, USER_NAME_MAX_LENGTH).join('').trim())
  return parsedName.success ? parsedName.data : null
}
