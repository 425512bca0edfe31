/** Dashboard sessions. The cookie has 32 random bytes; deleting their stored hash ends the session. */
import { randomBytes } from 'node:crypto'
import { sha256 } from '../../base/hash/sha256.ts'
import { SESSION_LIFETIME } from '../../contract/accounts/session.ts'
import type { Database, Queries } from '../../database/database.ts'
import { failure } from '../../errors/errors.ts'
import type { Session } from '../../http/access/callers.ts'
import { deleteExpired, deleteSession, findSession, insertSession, limitExpiry } from './sessions.store.ts'

export type Sessions = ReturnType<typeof createSessions>
export type BegunSession = Awaited<ReturnType<Sessions['begin']>>

const SECRET_BYTES = 32
const SECRET_FORM = /^[\w-]{43}$/
/** Maximum number of cookies looked up per request. More cookies of this name are no accident. */
const SECRETS_TRIED = 4

export function createSessions({ database, now }: { database: Database; now: () => number }) {
  async function find(secret: string): Promise<Session | null> {
    if (!SECRET_FORM.test(secret)) return null
    const session = await findSession(database.read, hashOf(secret))
    return session && session.expiresAt > now() ? session : null
  }

  return {
    /** In the transaction that has verified the account. The secret of the cookie is not stored anywhere. */
    async begin(tx: Queries, { id, name, role, folders }: Session['account']) {
      const secret = randomBytes(SECRET_BYTES).toString('base64url')
      const account = { id, name, role, folders }
      const session = { id: hashOf(secret), account, expiresAt: now() + SESSION_LIFETIME }
      await insertSession(tx, session, now())
      return { session, secret }
    },

    /**
     * Rejects with 401 without a cookie, and if the session is unknown, expired or ended. A browser sends one
     * session cookie; a second was planted by a sibling host. If it is invalid, it must not sign the user
     * out. If it is valid, the user must not act in a foreign account.
     */
    async authenticate(secrets: readonly string[]) {
      const tried = [...new Set(secrets)].slice(0, SECRETS_TRIED)
      const found = (await Promise.all(tried.map(find))).filter(session => session !== null)
      if (found.length !== 1) throw failure.sessionMissing()
      return found[0]!
    },

    async end(session: Session) {
      await database.transaction(tx => deleteSession(tx, session.id))
    },

    /** Whether the session has neither expired nor been ended. */
    async isLive({ id }: Session) {
      const session = await findSession(database.read, id)
      return session !== null && session.expiresAt > now()
    },

    async removeExpired() {
      await database.transaction(tx => deleteExpired(tx, now()))
    },

    /** Shortens sessions that began by a clock that was ahead: none lasts longer than a new one. */
    async shorten() {
      await database.transaction(tx => limitExpiry(tx, now() + SESSION_LIFETIME))
    },
  }
}

/** Plain SHA-256: 256 random bits need no slow hash. */
const hashOf = (secret: string) => sha256(secret)
