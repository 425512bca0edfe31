/** Accounts of the dashboard, their roles, and the folders to which they are limited. */
import { actorText } from '../../contract/accounts/actors.ts'
import type { AccountPatch, NewAccountInput, PasswordInput } from '../../contract/accounts/session.ts'
import type { Queries } from '../../database/database.ts'
import { failure } from '../../errors/errors.ts'
import type { Actor } from '../../http/access/actor.ts'
import type { Session } from '../../http/access/callers.ts'
import type { AccountRights } from '../../http/access/library-area.ts'
import type { FeatureParts } from '../feature.ts'
import { recordAdministration } from '../history/administration.store.ts'
import {
  type Account,
  type AccountWithPassword,
  countOperators,
  deleteAccount,
  findAccount,
  findAccountByName,
  insertAccount,
  isExternal,
  listAccounts,
  parseFolders,
  replacePassword,
  setRights,
} from './accounts.store.ts'
import { deleteFactors, findTotp } from './factors/factors.store.ts'
import { deleteInvitationsBy } from './invitations/invitations.store.ts'
import { deleteSessionsOf, recordSessionsEnd } from './sessions.store.ts'
import { deleteSetupCode } from './setup.store.ts'
import { clearLocks, type LoginLock } from './sign-in/login-lock.ts'
import type { PasswordHasher, Passwords } from './sign-in/passwords.ts'

export interface Accounts {
  list(): Promise<Account[]>
  /**
   * Creates an account. Rejects with 409 if the name is taken, or if the first account would not be an
   * operator. Rejects with 400 for an operator with `ordner`. Here and in the other methods, the history
   * names `actor` as the one who made the change; the default is the operator of the service.
   */
  create(input: NewAccountInput, actor?: Actor): Promise<Account>
  /**
   * Changes an account and ends its sessions, even if nothing was changed. An account that becomes an
   * operator is no longer limited to folders. Rejects with 400 for an operator with `ordner`, and with 404
   * for an unknown account. Rejects with 409 if the last operator would lose the role, or if a password is
   * given for an account that signs in with an external provider.
   */
  change(id: string, patch: AccountPatch, actor?: Actor): Promise<Account>
  /**
   * Removes an account, ends its sessions and withdraws the invitations that it created. Rejects with 404 for
   * an unknown account, and with 409 for the last operator.
   */
  remove(id: string, actor?: Actor): Promise<void>
  /**
   * Changes the password on behalf of the owner of the account, and ends all other sessions of the account. A
   * wrong old password counts as a failed login.
   */
  changePassword(session: Session, client: string, input: PasswordInput): Promise<void>
  /**
   * Sets a new password without the old one, on behalf of the operator of the service. Ends all sessions of
   * the account, clears the login locks of the name and the rate limits of all clients, and removes all
   * second factors, so that the password alone signs in. Returns whether there was a second factor. Rejects
   * with 404 for an unknown name, and with 409 for an account that signs in with an external provider.
   */
  resetPassword(name: string, password: string): Promise<{ hadFactor: boolean }>
  /**
   * Removes all second factors of an account and ends its sessions. Returns false if there was no second
   * factor. Rejects with 404 for an unknown account.
   */
  resetFactors(id: string, actor?: Actor): Promise<boolean>
  /** Rejects with 404 for an unknown name. */
  findByName(name: string): Promise<Account>
  /** Whether the person signs in with an external provider. */
  isExternal(id: string): Promise<boolean>
}

interface AccountsParts extends Pick<FeatureParts, 'database' | 'newId' | 'now'> {
  passwords: Passwords
  lock: LoginLock
}

export function createAccounts({ database, passwords, lock, newId, now }: AccountsParts): Accounts {
  async function findByName(name: string) {
    const account = await findAccountByName(database.read, name)
    if (!account) throw failure.accountAbsent()
    return account
  }

  return {
    findByName,

    async isExternal(id) {
      const account = await findAccount(database.read, id)
      return account !== null && isExternal(account)
    },

    list: () => listAccounts(database.read),

    async create({ benutzer: name, passwort, rolle, ordner }, actor = 'operator') {
      const rights = requireValidRights({ role: rolle, folders: ordner })
      const passwordHash = await passwords.hash(passwort)
      const account = {
        id: newId(),
        name,
        password: passwordHash,
        created_at: now(),
        signed_in_at: null,
        ...rights,
      }
      await database.transaction(tx => addAccount(tx, account, actor))
      return account
    },

    async change(id, { rolle, ordner, passwort, zweiter_faktor }, actor = 'operator') {
      const newHash = passwort === undefined ? undefined : await passwords.hash(passwort)
      return database.transaction(async tx => {
        const account = await findAccount(tx, id)
        if (!account) throw failure.accountAbsent()
        const { role, folders } = account
        const defaultFolders = rolle === 'betreiber' ? null : folders
        const rights = requireValidRights({
          role: rolle ?? role,
          folders: ordner === undefined ? defaultFolders : ordner,
        })
        await changeRights(tx, account, rights, { actor, time: now() })
        await deleteSessionsOf(tx, id)
        const hadFactor = zweiter_faktor === null && (await removeFactors(tx, account, actor, now()))
        if (rightsText(account) === rightsText(rights) && newHash === undefined && !hadFactor)
          await recordSessionsEnd(tx, actor, now(), account.name)
        if (newHash !== undefined) {
          refuseExternal(account)
          await replacePassword(tx, { id, oldHash: account.password, newHash })
          await recordPasswordChange(tx, actor, now(), account.name)
        }
        return { ...account, ...rights }
      })
    },

    remove: (id, actor = 'operator') =>
      database.transaction(async tx => {
        const account = await findAccount(tx, id)
        if (!account) throw failure.accountAbsent()
        await refuseLastOperator(tx, account)
        await deleteAccount(tx, id)
        await recordAdministration(tx, actor, now(), {
          what: 'konto_geloescht',
          old: account.name,
          new: null,
        })
        await withdrawInvitations(tx, account, { actor, time: now() })
      }),

    async changePassword({ id: sessionId, account: { id, name } }, client, { alt, neu }) {
      const verifyAndChange = async ({ hash, verify }: PasswordHasher) => {
        const account = await findAccount(database.read, id)
        if (!account) throw failure.sessionMissing()
        refuseExternal(account)
        if (!(await verify(alt, account.password))) throw failure.passwordWrong()
        const newHash = await hash(neu)
        await database.transaction(async tx => {
          // Another request may have changed the password meanwhile; then the old one is no longer valid.
          if (!(await replacePassword(tx, { id, oldHash: account.password, newHash })))
            throw failure.passwordWrong()
          await deleteSessionsOf(tx, id, sessionId)
          await recordPasswordChange(tx, { account: name }, now(), name)
        })
      }
      // If the account has an authenticator app, the password alone does not clear the login lock.
      const mayClearLock = (await findTotp(database.read, id))?.confirmed_at == null
      await passwords.admit(client, hasher =>
        lock.attempt({ name, client }, () => verifyAndChange(hasher), {
          shouldClearLock: () => mayClearLock,
        }),
      )
    },

    async resetPassword(name, password) {
      const { id } = await findByName(name)
      const newHash = await passwords.hash(password)
      return database.transaction(async tx => {
        const account = await findAccount(tx, id)
        if (!account) throw failure.accountAbsent()
        refuseExternal(account)
        await replacePassword(tx, { id, oldHash: account.password, newHash })
        await deleteSessionsOf(tx, id)
        await clearLocks(tx, name)
        await recordPasswordChange(tx, 'operator', now(), account.name)
        return { hadFactor: await removeFactors(tx, account, 'operator', now()) }
      })
    },

    resetFactors: (id, actor = 'operator') =>
      database.transaction(async tx => {
        const account = await findAccount(tx, id)
        if (!account) throw failure.accountAbsent()
        await deleteSessionsOf(tx, id)
        return removeFactors(tx, account, actor, now())
      }),
  }
}

/** Every new account is inserted here, so the first account always ends the set-up. */
export async function addAccount(tx: Queries, account: AccountWithPassword, actor: Actor): Promise<void> {
  if (await findAccountByName(tx, account.name)) throw failure.accountTaken(account.name)
  if (account.role !== 'betreiber' && (await countOperators(tx)) === 0) throw failure.firstAccount()
  await insertAccount(tx, account)
  await deleteSetupCode(tx)
  const entry = { what: 'konto_erstellt', old: null, new: account.name } as const
  await recordAdministration(tx, actor, account.created_at, entry)
}

/**
 * Changes the role and the folders of an account. If the account is not an operator afterwards, also
 * withdraws the invitations that it created. Rejects with 409 if the last operator would lose the role. Ends
 * no sessions: the new rights apply to them immediately.
 */
export async function changeRights(
  tx: Queries,
  account: Pick<Account, 'id' | 'name'> & AccountRights,
  rights: AccountRights,
  { actor, time }: { actor: Actor; time: number },
): Promise<void> {
  if (rights.role !== 'betreiber') await refuseLastOperator(tx, account)
  const accountTexts = { old: accountText(account), new: accountText({ ...account, ...rights }) }
  if (accountTexts.old === accountTexts.new) return
  await setRights(tx, account.id, rights)
  await recordAdministration(tx, actor, time, { what: 'konto_geaendert', ...accountTexts })
  if (rights.role !== 'betreiber') await withdrawInvitations(tx, account, { actor, time })
}

/**
 * Withdraws the invitations by an account that was removed, is no longer an operator, or is no longer
 * admitted by the rules for its external provider. Otherwise its owner could use one of them to get access
 * again.
 */
export async function withdrawInvitations(
  tx: Queries,
  { name }: Pick<Account, 'name'>,
  { actor, time }: { actor: Actor; time: number },
): Promise<void> {
  for (const { role, folders } of await deleteInvitationsBy(tx, actorText({ kind: 'account', name }))) {
    const oldRights = rightsText({ role, folders: parseFolders({ folders }) })
    await recordAdministration(tx, actor, time, { what: 'einladung_widerrufen', old: oldRights, new: null })
  }
}

/**
 * Throws 409 for an account with an external provider. It must not get a password or second factor of its
 * own: signing in with one would bypass the provider's rules.
 */
export function refuseExternal(account: AccountWithPassword | null): void {
  if (account && isExternal(account)) throw failure.accountExternal()
}

/**
 * Throws 409 for the only operator. Writing transactions run one after the other, so of two concurrent
 * changes the second sees the first.
 */
async function refuseLastOperator(tx: Queries, { role }: AccountRights): Promise<void> {
  if (role === 'betreiber' && (await countOperators(tx)) === 1) throw failure.lastAccount()
}

export function requireValidRights(rights: AccountRights): AccountRights {
  if (rights.role === 'betreiber' && rights.folders !== null) throw failure.operatorLimited()
  return rights
}

/** The rights as text for the administration history. */
export const rightsText = ({ role, folders }: AccountRights) =>
  `rolle=${role}${folders === null ? '' : ` ordner=${folders.join(',')}`}`

const accountText = (account: Pick<Account, 'name'> & AccountRights) =>
  `${account.name} ${rightsText(account)}`

/** Removes all second factors of an account. Returns false if there were none. */
async function removeFactors(tx: Queries, account: Account, actor: Actor, time: number): Promise<boolean> {
  const hadFactor = await deleteFactors(tx, account.id)
  const entry = { what: 'zweiter_faktor_entfernt', old: account.name, new: null } as const
  if (hadFactor) await recordAdministration(tx, actor, time, entry)
  return hadFactor
}

/**
 * Records that a password was changed. The entry names the account, but reveals nothing about the password,
 * not even its length.
 */
function recordPasswordChange(tx: Queries, actor: Actor, time: number, name: string): Promise<void> {
  return recordAdministration(tx, actor, time, { what: 'passwort_geaendert', old: null, new: name })
}
