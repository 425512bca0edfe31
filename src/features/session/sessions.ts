/** Sessions: 32 random bytes in a cookie, of which the server keeps only a hash; ended by deleting that. */
import { randomBytes } from 'node:crypto'
import type { Session } from '../../access/callers.ts'
import { SESSION_LIFETIME } from '../../contract/session.ts'
import type { Database, Queries } from '../../database/database.ts'
import { failure } from '../../errors.ts'
import { sha256 } from '../../sha256.ts'
import { deleteExpired, deleteSession, findSession, insertSession } from './sessions.store.ts'

/** A session that has just begun, with what its cookie carries: here, and nowhere afterwards. */
export interface BegunSession {
  session: Session
  secret: string
}

export interface Sessions {
  /** Inside the transaction that made sure who it is. */
  begin(tx: Queries, account: Session['account']): Promise<BegunSession>
  /** The session behind a cookie; rejects with 401 when there is none, or it is unknown, expired or ended. */
  authenticate(secrets: readonly string[]): Promise<Session>
  end(session: Session): Promise<void>
  /** Whether it still counts: neither expired nor ended meanwhile. */
  isLive(session: Session): Promise<boolean>
  removeExpired(): Promise<void>
}

const SECRET_BYTES = 32
const SECRET = /^[\w-]{43}$/
/** More cookies of that name are no accident and not worth a look-up each. */
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
     * A browser sends one cookie. A second one was planted by a sibling host: as rubbish it must not sign anybody out,
     * and as a valid session it must not make somebody act in an account that is not theirs.
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
  }
}

/** Plain SHA-256: the secret is 256 random bits, so there is nothing a slow hash would protect. */
const hashOf = (secret: string) => sha256(secret)
