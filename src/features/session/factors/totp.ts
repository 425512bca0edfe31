/**
 * Codes of an authenticator app (TOTP, RFC 6238), and the emergency codes that are accepted in their place.
 * Each code is accepted only once, even by several processes: the first request that marks it as used in the
 * database wins.
 */
import { sha256 } from '../../../base/hash/sha256.ts'
import type { NewId } from '../../../base/ids.ts'
import { EMERGENCY_CODE_COUNT } from '../../../contract/accounts/factors.ts'
import { SECOND } from '../../../contract/values/units.ts'
import type { Database, Queries } from '../../../database/database.ts'
import { failure } from '../../../errors/errors.ts'
import type { Session } from '../../../http/access/callers.ts'
import { recordAdministration } from '../../history/administration.store.ts'
import type { Settings } from '../../settings/settings.ts'
import { findAccount } from '../accounts.store.ts'
import { refuseExternal } from '../accounts.ts'
import type { LoginLock } from '../sign-in/login-lock.ts'
import type { Passwords } from '../sign-in/passwords.ts'
import { normalizeTypedCode } from '../typed-code.ts'
import {
  confirmTotp,
  deleteTotp,
  findTotp,
  insertEmergencyCodes,
  insertTotp,
  spendEmergencyCode,
  spendTimeStep,
} from './factors.store.ts'
import type { InstanceKey } from './instance-key.ts'

/** Seconds for which a code is shown; every authenticator app supports this period. */
const CODE_PERIOD = 30
const TOTP_FORMAT = { algorithm: 'SHA1', digits: 6, period: CODE_PERIOD } as const
/** RFC 4226 §4 recommends 160 bits. */
const SECRET_BYTES = 20
/** Number of time steps (of `CODE_PERIOD`) by which the clock of the app may be ahead or behind. */
const MAX_DRIFT_STEPS = 1

/**
 * Number of characters of an emergency code: 80 random bits, so that no code can be computed from its hash in
 * a backup.
 */
const EMERGENCY_CODE_LENGTH = 16

/** Loads the library when it is first needed, because it takes 1 MB of memory. */
const loadOtpauth = () => import('otpauth')

/**
 * Marks a code as used, in the transaction that begins the session. Resolves to false if the code was used
 * before, or is not (or no longer) a code of the account.
 */
type SpendCode = (tx: Queries) => Promise<boolean>

interface TotpParts {
  database: Database
  key: InstanceKey
  settings: Settings
  passwords: Passwords
  lock: LoginLock
  newId: NewId
  now: () => number
}

export type Totp = ReturnType<typeof createTotp>

export function createTotp(parts: TotpParts) {
  const { database, key, settings, passwords, lock, newId, now } = parts

  /**
   * The time step for which the code is right: the current one, or one of its two neighbours. Null if the
   * code is wrong. Rejects with 409 if the secret cannot be decrypted.
   */
  async function stepOf(accountId: string, sealedSecret: string, code: string): Promise<number | null> {
    const secret = await key.open(`totp ${accountId}`, sealedSecret)
    if (secret === null) throw failure.factorUnreadable()
    const { TOTP } = await loadOtpauth()
    const time = now()
    const stepDelta = new TOTP({ ...TOTP_FORMAT, secret }).validate({
      token: code,
      timestamp: time,
      window: MAX_DRIFT_STEPS,
    })
    return stepDelta === null ? null : Math.floor(time / (CODE_PERIOD * SECOND)) + stepDelta
  }

  return {
    /**
     * Creates and stores an unconfirmed secret. Rejects with 409 if the account has a confirmed one, or signs
     * in with an external provider.
     */
    async begin({ id, name }: Session['account']) {
      const { Secret, TOTP } = await loadOtpauth()
      const secret = new Secret({ size: SECRET_BYTES })
      const sealedSecret = await key.seal(`totp ${id}`, secret.base32)
      const isInserted = await database.transaction(async tx => {
        refuseExternal(await findAccount(tx, id))
        return insertTotp(tx, { accountId: id, secret: sealedSecret, now: now() })
      })
      if (!isInserted) throw failure.factorPresent()
      const issuer = settings.current().DIENST
      return {
        geheimnis: secret.base32,
        adresse: new TOTP({ ...TOTP_FORMAT, issuer, label: name, secret }).toString(),
      }
    },

    /**
     * Confirms the secret: from now on, signing in with the password requires a code too. Returns the
     * emergency codes, which are shown only once.
     */
    async confirm({ id, name }: Session['account'], code: string): Promise<string[]> {
      const row = await findTotp(database.read, id)
      if (!row || row.confirmed_at !== null) throw failure.factorNotBegun()
      const step = await stepOf(id, row.secret, normalizeTypedCode(code))
      if (step === null) throw failure.newCodeWrong()
      const codes = Array.from({ length: EMERGENCY_CODE_COUNT }, () =>
        newId(EMERGENCY_CODE_LENGTH).toUpperCase(),
      )
      await database.transaction(async tx => {
        const usedStep = { accountId: id, secret: row.secret, step }
        if (!(await confirmTotp(tx, usedStep, now()))) throw failure.factorNotBegun()
        await insertEmergencyCodes(tx, id, codes.map(hashOf))
        const entry = { what: 'zweiter_faktor_eingerichtet', old: null, new: name } as const
        await recordAdministration(tx, { account: name }, now(), entry)
      })
      return codes.map(emergencyCode => emergencyCode.match(/.{4}/g)!.join('-'))
    },

    /**
     * Checks a typed code: six digits are a code of the app, anything else is an emergency code. Rejects with
     * 401 if the code of the app is wrong, or if the account has no confirmed app. Returns a function that
     * marks the code as used. That function resolves to false if the code was used before, if the app was
     * replaced meanwhile, or if the account has no such emergency code.
     */
    async checkCode(accountId: string, typedCode: string): Promise<SpendCode> {
      const code = normalizeTypedCode(typedCode)
      const row = await findTotp(database.read, accountId)
      if (!row?.confirmed_at) throw failure.loginStepOver()
      if (!/^[0-9]{6}$/.test(code)) return tx => spendEmergencyCode(tx, accountId, hashOf(code))
      const step = await stepOf(accountId, row.secret, code)
      if (step === null) throw failure.codeWrong()
      return tx => spendTimeStep(tx, { accountId, secret: row.secret, step })
    },

    /**
     * Removes the authenticator app and the emergency codes. A wrong password counts as a failed login; a
     * right one does not clear the login lock.
     */
    async remove({ account: { id, name } }: Session, client: string, password: string): Promise<void> {
      if (!(await findTotp(database.read, id))) throw failure.factorAbsent()
      const checkPassword = async (verify: Passwords['verify']) => {
        const account = await findAccount(database.read, id)
        if (!account) throw failure.sessionMissing()
        if (!(await verify(password, account.password))) throw failure.passwordWrong()
      }
      await passwords.admit(client, ({ verify }) =>
        lock.attempt({ name, client }, () => checkPassword(verify), { shouldClearLock: () => false }),
      )
      await database.transaction(async tx => {
        await deleteTotp(tx, id)
        const entry = { what: 'zweiter_faktor_entfernt', old: name, new: null } as const
        await recordAdministration(tx, { account: name }, now(), entry)
      })
    },
  }
}

const hashOf = (code: string) => sha256(code)
