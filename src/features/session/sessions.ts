/**
 * Sessions of the dashboard. The cookie carries 32 random bytes; the server keeps only their hash. Deleting
 * the hash ends the session.
 */
import { randomBytes } from 'node:crypto'
import { sha256 } from '../../base/hash/sha256.ts'
import { SESSION_LIFETIME } from '../../contract/accounts/session.ts'
import type { Database, Queries } from '../../database/database.ts'
import { failure } from '../../errors/errors.ts'
import type { Session } from '../../http/access/callers.ts'
import { deleteExpired, deleteSession, findSession, insertSession, limitExpiry } from './sessions.store.ts'

/** A session that has just begun. The cookie's secret is known only here; nothing stores it afterwards. */
export interface BegunSession {
  session: Session
  secret: string
}

export interface Sessions {
  /** Must run inside the transaction that has verified the account. */
  begin(tx: Queries, account: Session['account']): Promise<BegunSession>
  /**
   * The session behind the cookies. Rejects with 401 without a cookie, and when the session is unknown,
   * expired or ended.
   */
  authenticate(secrets: readonly string[]): Promise<Session>
  end(session: Session): Promise<void>
  /** Whether the session is still valid: neither expired nor ended meanwhile. */
  isLive(session: Session): Promise<boolean>
  removeExpired(): Promise<void>
  /** Shortens sessions that a clock that was ahead has begun: none lasts longer than a new one. */
  shorten(): Promise<void>
}

const SECRET_BYTES = 32
const SECRET = /^[\w-]{43}$/
/**
 * Cookies that are looked up per request. More cookies of this name are no accident and not worth a look-up
 * each.
 */
const SECRETS_TRIED = 4

export function createSessions({ database, now }: { database: Database; now: () => number }): Sessions {
  async function find(secret: string): Promise<Session | null> {
    if (!SECRET.test(secret)) return null
    const session = await findSession(database.read, hashOf(secret))
    return session && session.expiresAt > now() ? session : null
  }

  return {
    async begin(tx, account) {
      const secret = randomBytes(SECRET_BYTES).toString('base64url')
      const { id, name } = account
      const session = { id: hashOf(secret), account: { id, name }, expiresAt: now() + SESSION_LIFETIME }
      await insertSession(tx, session, now())
      return { session, secret }
    },

    /**
     * A browser sends one session cookie. A second one was planted by a sibling host. If the planted cookie
     * is rubbish, it must not sign the user out. If it is a valid session, the user must not act in an
     * account that is not theirs.
     */
    async authenticate(secrets) {
      const tried = [...new Set(secrets)].slice(0, SECRETS_TRIED)
      const found = (await Promise.all(tried.map(find))).filter(session => session !== null)
      if (found.length !== 1) throw failure.sessionMissing()
      return found[0]!
    },

    async end(session) {
      await database.transaction(tx => deleteSession(tx, session.id))
    },

    async isLive({ id }) {
      const session = await findSession(database.read, id)
      return session !== null && session.expiresAt > now()
    },

    async removeExpired() {
      await database.transaction(tx => deleteExpired(tx, now()))
    },

    async shorten() {
      await database.transaction(tx => limitExpiry(tx, now() + SESSION_LIFETIME))
    },
  }
}

/** Plain SHA-256: the secret is 256 random bits, so there is nothing a slow hash would protect. */
const hashOf = (secret: string) => sha256(secret)
