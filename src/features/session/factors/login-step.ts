/**
 * What the browser sends with the code after the password was verified: a sealed note that names the account.
 * Nothing is stored on the server, so the step survives a reload and works at every instance. A new password
 * invalidates the step.
 */
import { z } from 'zod'
import { sha256 } from '../../../base/hash/sha256.ts'
import { LOGIN_STEP_LIFETIME } from '../../../contract/accounts/factors.ts'
import type { Queries } from '../../../database/database.ts'
import { failure } from '../../../errors/errors.ts'
import { findAccount } from '../accounts.store.ts'
import type { InstanceKey } from './instance-key.ts'

const noteSchema = z.object({ account: z.string(), password: z.string(), until: z.int() })
type Note = z.infer<typeof noteSchema>

export type LoginSteps = ReturnType<typeof createLoginSteps>

export function createLoginSteps({ key, now }: { key: InstanceKey; now: () => number }) {
  return {
    /** Issues a step for an account whose password was just verified. */
    issue({ id, password }: { id: string; password: string }): Promise<string> {
      const note: Note = { account: id, password: sha256(password), until: now() + LOGIN_STEP_LIFETIME }
      return key.seal('login-step', JSON.stringify(note))
    },

    /** Rejects with 401 if the step was not issued by this instance, or has expired. */
    async open(step: string): Promise<Note> {
      const text = await key.open('login-step', step)
      const note = text === null ? null : noteSchema.parse(JSON.parse(text))
      if (!note || note.until <= now() || note.until > now() + LOGIN_STEP_LIFETIME)
        throw failure.loginStepOver()
      return note
    },
  }
}

/** The account of a step. Rejects with 401 if it is gone or has another password. */
export async function accountOf(queries: Queries, { account: id, password }: Note) {
  const account = await findAccount(queries, id)
  if (!account || sha256(account.password) !== password) throw failure.loginStepOver()
  return account
}
