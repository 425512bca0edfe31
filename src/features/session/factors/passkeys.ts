/**
 * Passkeys (WebAuthn): discoverable, with user verification, without attestation. Signing in with a passkey
 * needs neither name nor password, and counts as both factors.
 */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { NewId } from '../../../base/ids.ts'
import type { Credential, PasskeyAnswer } from '../../../contract/accounts/factors.ts'
import type { Database } from '../../../database/database.ts'
import { failure } from '../../../errors/errors.ts'
import type { Session, Visitor } from '../../../http/access/callers.ts'
import { recordAdministration } from '../../history/administration.store.ts'
import type { Settings } from '../../settings/settings.ts'
import { findAccount } from '../accounts.store.ts'
import { refuseExternal } from '../accounts.ts'
import type { Sessions } from '../sessions.ts'
import type { Challenges } from './challenges.ts'
import {
  deletePasskey,
  findPasskey,
  insertPasskey,
  listPasskeys,
  recordPasskeyUse,
  renamePasskey,
} from './passkeys.store.ts'
import { relyingPartyOf } from './relying-party.ts'

/** Maximum number of passkeys of one account. */
const MAX_PASSKEYS = 50

/**
 * Loads the library when it is first needed. It is large, because it contains parsers for the certificates of
 * all attestation formats.
 */
const loadWebauthn = () => import('@simplewebauthn/server')

interface PasskeyParts {
  database: Database
  settings: Settings
  sessions: Sessions
  challenges: Challenges
  newId: NewId
  now: () => number
}

export type Passkeys = ReturnType<typeof createPasskeys>

export function createPasskeys(parts: PasskeyParts) {
  const { database, settings, sessions, challenges, newId, now } = parts

  function requireRelyingParty() {
    const relyingParty = relyingPartyOf(settings.current().PUBLIC_URL)
    if (!relyingParty) throw failure.passkeysImpossible()
    return relyingParty
  }

  /**
   * The options with which the answer of a browser is verified, both when a passkey is created and when
   * somebody signs in with one.
   */
  function verificationOptionsFor(purpose: Parameters<Challenges['isValid']>[0]) {
    const { id, origin } = requireRelyingParty()
    return {
      expectedChallenge: (challenge: string) => challenges.isValid(purpose, challenge),
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
    }
  }

  return {
    arePossible: () => relyingPartyOf(settings.current().PUBLIC_URL) !== null,

    async list({ id }: Session['account']): Promise<PasskeyAnswer[]> {
      const rows = await listPasskeys(database.read, id)
      return rows.map(({ id, name, created_at, used_at }) => ({
        id,
        name,
        erstellt_am: created_at,
        zuletzt_benutzt: used_at,
      }))
    },

    async creationOptions({ id, name }: Session['account']) {
      refuseExternal(await findAccount(database.read, id))
      const { generateRegistrationOptions } = await loadWebauthn()
      const existingPasskeys = await listPasskeys(database.read, id)
      return generateRegistrationOptions({
        rpName: settings.current().DIENST,
        rpID: requireRelyingParty().id,
        userName: name,
        userID: new TextEncoder().encode(id),
        challenge: await challenges.issue(`passkey ${id}`),
        attestationType: 'none',
        excludeCredentials: existingPasskeys.map(({ credential, transports }) => ({
          id: credential,
          transports: JSON.parse(transports),
        })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      })
    },

    async add(account: Session['account'], name: string, answer: Credential): Promise<PasskeyAnswer> {
      const verificationOptions = verificationOptionsFor(`passkey ${account.id}`)
      const { verifyRegistrationResponse } = await loadWebauthn()
      const response = answer as unknown as RegistrationResponseJSON
      const { registrationInfo } = await verifyRegistrationResponse({
        ...verificationOptions,
        response,
      }).catch(cause => {
        throw failure.passkeyUnusable(cause)
      })
      if (!registrationInfo) throw failure.passkeyUnusable()
      const { id: credential, publicKey, counter, transports = [] } = registrationInfo.credential
      const row = {
        id: newId(),
        account_id: account.id,
        name,
        credential,
        counter,
        public_key: Buffer.from(publicKey).toString('base64url'),
        transports: JSON.stringify(transports),
        created_at: now(),
        used_at: null,
      }
      await database.transaction(async tx => {
        if (!(await challenges.spend(tx, challengeOf(answer)))) throw failure.passkeyUnusable()
        if ((await listPasskeys(tx, account.id)).length >= MAX_PASSKEYS)
          throw failure.passkeysMany(MAX_PASSKEYS)
        if (!(await insertPasskey(tx, row))) throw failure.passkeyUnusable()
        const entry = { what: 'passkey_erstellt', old: null, new: name } as const
        await recordAdministration(tx, { account: account.name }, now(), entry)
      })
      return { id: row.id, name, erstellt_am: row.created_at, zuletzt_benutzt: null }
    },

    async rename(account: Session['account'], id: string, name: string): Promise<void> {
      await database.transaction(async tx => {
        const oldName = await renamePasskey(tx, { id, accountId: account.id, name })
        if (oldName === undefined) throw failure.passkeyAbsent()
        const entry = { what: 'passkey_umbenannt', old: oldName, new: name } as const
        if (oldName !== name) await recordAdministration(tx, { account: account.name }, now(), entry)
      })
    },

    async remove(account: Session['account'], id: string): Promise<void> {
      await database.transaction(async tx => {
        const oldName = await deletePasskey(tx, id, account.id)
        if (oldName === undefined) throw failure.passkeyAbsent()
        const entry = { what: 'passkey_entfernt', old: oldName, new: null } as const
        await recordAdministration(tx, { account: account.name }, now(), entry)
      })
    },

    /**
     * Returns the options for signing in with a passkey. They contain no list of credentials: the browser
     * offers all passkeys that it has for this host.
     */
    async requestOptions() {
      const rpID = requireRelyingParty().id
      const { generateAuthenticationOptions } = await loadWebauthn()
      const challenge = await challenges.issue('passkey-sign-in')
      return generateAuthenticationOptions({ rpID, challenge, userVerification: 'required' })
    },

    /** Signs in with a passkey. Rejects with the same 401 for every passkey that is not accepted. */
    async signIn(answer: Credential, { device }: Visitor) {
      const verificationOptions = verificationOptionsFor('passkey-sign-in')
      const passkey = await findPasskey(database.read, answer.id)
      if (!passkey) throw failure.passkeyRefused()
      const { verifyAuthenticationResponse } = await loadWebauthn()
      const { id, account_id, counter, public_key } = passkey
      const publicKey = new Uint8Array(Buffer.from(public_key, 'base64url'))
      const verification = await verifyAuthenticationResponse({
        ...verificationOptions,
        response: answer as unknown as AuthenticationResponseJSON,
        credential: { id: passkey.credential, publicKey, counter },
      }).catch(cause => {
        throw failure.passkeyRefused(cause)
      })
      if (!verification.verified) throw failure.passkeyRefused()
      const { newCounter } = verification.authenticationInfo
      return database.transaction(async tx => {
        const account = await findAccount(tx, account_id)
        const isFirstUse = await challenges.spend(tx, challengeOf(answer))
        const isUseRecorded = await recordPasskeyUse(tx, { id, counter: newCounter, now: now() })
        if (!account || !isFirstUse || !isUseRecorded) throw failure.passkeyRefused()
        return sessions.begin(tx, account, device)
      })
    },
  }
}

/** The challenge that the authenticator has signed. Must be called only for a verified answer. */
function challengeOf({ response }: Credential): string {
  const clientData = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString('utf8'))
  return String(clientData.challenge)
}
