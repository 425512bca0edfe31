/**
 * Dashboard sessions. The cookie contains 32 random bytes, of which only a hash is stored. Deleting the row
 * of the session ends it.
 */
import { randomBytes } from 'node:crypto'
import { sha256 } from '../../base/hash/sha256.ts'
import { DAY } from '../../contract/values/units.ts'
import type { Database, Queries } from '../../database/database.ts'
import { failure } from '../../errors/errors.ts'
import type { Actor } from '../../http/access/actor.ts'
import type { Device, Session } from '../../http/access/callers.ts'
import { createLastSeenRecorder } from './last-seen.ts'
import {
  deleteExpiredSessions,
  deleteSession,
  deleteSessionsOf,
  findSession,
  insertSession,
  limitSessionExpiry,
  listSessions,
  recordSessionsEnd,
} from './sessions.store.ts'

export type Sessions = ReturnType<typeof createSessions>
export type BegunSession = Awaited<ReturnType<Sessions['begin']>>

/** Milliseconds from the sign-in to the end of a session. Using a session does not extend it. */
export const SESSION_LIFETIME = 30 * DAY

const SECRET_BYTES = 32
const SECRET_PATTERN = /^[\w-]{43}$/
/** Maximum number of session cookies that are checked per request. No browser sends more by accident. */
const MAX_SECRETS_CHECKED = 4

export function createSessions({ database, now }: { database: Database; now: () => number }) {
  const lastSeen = createLastSeenRecorder({ database, now })

  async function findUnexpired(hash: string) {
    const session = await findSession(database.read, hash)
    return session && session.expiresAt > now() ? session : null
  }

  const findBySecret = async (secret: string) =>
    SECRET_PATTERN.test(secret) ? findUnexpired(hashOf(secret)) : null

  return {
    /** Writes the last uses of sessions (time, address and program) from memory to the database. */
    flush: lastSeen.flush,

    /**
     * Begins a session. Must be called in the transaction that has verified the account. The returned secret
     * is for the cookie; it is not stored anywhere.
     */
    async begin(tx: Queries, { id, name, role, folders }: Session['account'], device: Device) {
      const secret = randomBytes(SECRET_BYTES).toString('base64url')
      const account = { id, name, role, folders }
      const session = { id: hashOf(secret), account, expiresAt: now() + SESSION_LIFETIME }
      await insertSession(tx, session, { now: now(), device })
      return { session, secret }
    },

    /**
     * Finds the session of a request. Rejects with 401 if there is no cookie, or if the session is unknown,
     * expired or ended. A browser sends one session cookie; a second one was planted by a sibling host. If
     * the second is invalid, it must not sign the user out. If it is valid, the user must not act in somebody
     * else's account, so both are refused.
     */
    async authenticate(secrets: readonly string[], device: Device) {
      const checkedSecrets = [...new Set(secrets)].slice(0, MAX_SECRETS_CHECKED)
      const validSessions = (await Promise.all(checkedSecrets.map(findBySecret))).filter(
        session => session !== null,
      )
      if (validSessions.length !== 1) throw failure.sessionMissing()
      const { seenAt, ...session } = validSessions[0]!
      lastSeen.noteUse(session, seenAt, device)
      return session
    },

    /**
     * The sessions of an account that have not expired. The one with the latest use in the database comes
     * first.
     */
    async list({ id }: Session['account']) {
      const rows = await listSessions(database.read, id, now())
      return rows.map(({ hash, created_at, seen_at, address, program }) => {
        const lastUse = lastSeen.pendingUse(hash) ?? { usedAt: seen_at ?? created_at, address, program }
        return { ...lastUse, id: publicSessionId(hash), begunAt: created_at }
      })
    },

    /**
     * Ends the session with this `id`, as `list` returns it. Rejects with 404 unless it is a session of the
     * account.
     */
    endOne: (id: string, { account, actor }: { account: Session['account']; actor: Actor }) =>
      database.transaction(async tx => {
        const session = (await listSessions(tx, account.id, now())).find(
          ({ hash }) => publicSessionId(hash) === id,
        )
        if (!session) throw failure.sessionAbsent()
        await deleteSession(tx, session.hash)
        await recordSessionsEnd(tx, actor, now(), account.name)
      }),

    /** Ends all sessions of an account except `keptSession`. */
    endAll: (account: Session['account'], actor: Actor, keptSession?: Session) =>
      database.transaction(async tx => {
        await deleteSessionsOf(tx, account.id, keptSession?.id)
        await recordSessionsEnd(tx, actor, now(), account.name)
      }),

    async end(session: Session) {
      await database.transaction(tx => deleteSession(tx, session.id))
    },

    /**
     * Finds the session with this id, with the current rights of its account; null if it has expired or
     * ended.
     */
    current: (id: string): Promise<Session | null> => findUnexpired(id),

    async removeExpired() {
      await database.transaction(tx => deleteExpiredSessions(tx, now()))
    },

    /** Shortens sessions that began while the clock was ahead, so that none lasts longer than a new one. */
    async shorten() {
      await database.transaction(tx => limitSessionExpiry(tx, now() + SESSION_LIFETIME))
    },
  }
}

/** The id of a session in answers. It is derived from the hash in the database, which is never sent. */
export const publicSessionId = (hash: string) => sha256(`shown ${hash}`).slice(0, 32)

/** Plain SHA-256: 256 random bits need no slow hash. */
const hashOf = (secret: string) => sha256(secret)
