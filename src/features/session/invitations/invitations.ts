/**
 * Invitations: links with a random code. Each link can be used once, to create an account with the role and
 * folders of the invitation. An invitation ends when it is used, when any operator withdraws it, when it
 * expires, and when the account that created it is removed, is no longer an operator, or is no longer
 * admitted by the rules for its external provider.
 */
import type { z } from 'zod'
import { sha256 } from '../../../base/hash/sha256.ts'
import type { acceptInvitationInput, invitationInput } from '../../../contract/accounts/invitations.ts'
import { INVITATION_MAX_DAYS } from '../../../contract/values/input-limits.ts'
import { DAY } from '../../../contract/values/units.ts'
import { failure } from '../../../errors/errors.ts'
import { type Actor, actorColumns, actorTextOfRow } from '../../../http/access/actor.ts'
import type { Device, Visitor } from '../../../http/access/callers.ts'
import type { FeatureParts } from '../../feature.ts'
import { recordAdministration } from '../../history/administration.store.ts'
import { parseFolders } from '../accounts.store.ts'
import { addAccount, requireValidRights, rightsText } from '../accounts.ts'
import type { BegunSession, Sessions } from '../sessions.ts'
import { CODE_ATTEMPTS_NAME } from '../setup.ts'
import type { LoginLock } from '../sign-in/login-lock.ts'
import type { PasswordHasher, Passwords } from '../sign-in/passwords.ts'
import {
  deleteExpiredInvitations,
  deleteInvitation,
  type Invitation,
  insertInvitation,
  isInvitationOpen,
  limitInvitationExpiry,
  listInvitations,
  takeInvitation,
} from './invitations.store.ts'

/** Number of characters of a code, from an alphabet of 32: 160 random bits. */
const CODE_LENGTH = 32

type AcceptInput = z.output<typeof acceptInvitationInput>

export type Invitations = ReturnType<typeof createInvitations>

interface InvitationsParts extends Pick<FeatureParts, 'database' | 'newId' | 'now'> {
  passwords: Passwords
  lock: LoginLock
  sessions: Sessions
}

export function createInvitations(parts: InvitationsParts) {
  const { database, passwords, lock, sessions, newId, now } = parts

  async function createInvitedAccount(
    input: AcceptInput,
    device: Device,
    { hash }: PasswordHasher,
  ): Promise<BegunSession> {
    const codeHash = codeHashOf(input.code)
    // Checked first, because hashing the password is costly. Unknown, used, expired and withdrawn invitations
    // are refused with the same error.
    if (!(await isInvitationOpen(database.read, codeHash, now()))) throw failure.invitationInvalid()
    const passwordHash = await hash(input.passwort)
    return database.transaction(async tx => {
      const invitation = await takeInvitation(tx, codeHash, now())
      if (!invitation) throw failure.invitationInvalid()
      const { role, created_by } = invitation
      const account = {
        id: newId(),
        name: input.benutzer,
        password: passwordHash,
        created_at: now(),
        signed_in_at: null,
        role,
        folders: parseFolders(invitation),
      }
      const actor = { account: account.name }
      await addAccount(tx, account, actor)
      await recordAdministration(tx, actor, now(), {
        what: 'einladung_angenommen',
        old: null,
        new: created_by,
      })
      return sessions.begin(tx, account, device)
    })
  }

  return {
    list: () => listInvitations(database.read, now()),

    /** Creates an invitation and returns it with its code, which is not stored. */
    async create(
      { rolle, ordner, gueltig_tage }: z.output<typeof invitationInput>,
      actor: Actor = 'operator',
    ) {
      const { role, folders } = requireValidRights({ role: rolle, folders: ordner })
      const code = newId(CODE_LENGTH)
      const createdAt = now()
      const invitation: Invitation = {
        id: newId(),
        code_hash: codeHashOf(code),
        role,
        folders: folders && JSON.stringify(folders),
        created_at: createdAt,
        created_by: actorTextOfRow(actorColumns(actor)),
        expires_at: createdAt + gueltig_tage * DAY,
      }
      await database.transaction(async tx => {
        await insertInvitation(tx, invitation)
        const entry = { what: 'einladung_erstellt', old: null, new: rightsText({ role, folders }) } as const
        await recordAdministration(tx, actor, now(), entry)
      })
      return { ...invitation, code }
    },

    /** Withdraws an invitation. Rejects with 404 if there is no such invitation any more. */
    withdraw: (id: string, actor: Actor) =>
      database.transaction(async tx => {
        const invitation = await deleteInvitation(tx, id)
        if (!invitation) throw failure.invitationAbsent()
        const oldRights = rightsText({ ...invitation, folders: parseFolders(invitation) })
        await recordAdministration(tx, actor, now(), {
          what: 'einladung_widerrufen',
          old: oldRights,
          new: null,
        })
      }),

    /** Creates the account and begins its session. A failure counts as a failed login. */
    accept: (input: AcceptInput, { clientNetwork, device }: Visitor) =>
      passwords.admit(clientNetwork, hasher =>
        lock.attempt({ name: CODE_ATTEMPTS_NAME, client: clientNetwork }, () =>
          createInvitedAccount(input, device, hasher),
        ),
      ),

    async removeExpired() {
      await database.transaction(tx => deleteExpiredInvitations(tx, now()))
    },

    /**
     * Shortens invitations that were created while the clock was ahead, so that none lasts longer than a new
     * one.
     */
    async shorten() {
      await database.transaction(tx => limitInvitationExpiry(tx, now() + INVITATION_MAX_DAYS * DAY))
    },
  }
}

/** Plain SHA-256: 160 random bits need no slow hash. */
const codeHashOf = (code: string) => sha256(code.trim())
