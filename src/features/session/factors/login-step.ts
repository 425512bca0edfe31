/**
 * A login step is a text that the browser gets after the password was verified, and sends back together with
 * the code of the second factor. It is an encrypted record that names the account. Nothing is stored on the
 * server, so the step survives a restart, and every process of the service accepts it. A new password
 * invalidates it.
 */
import { z } from 'zod'
import { sha256 } from '../../../base/hash/sha256.ts'
import { LOGIN_STEP_LIFETIME } from '../../../contract/accounts/factors.ts'
import type { Queries } from '../../../database/database.ts'
import { CLOCK_MARGIN, hasDeadlinePassed } from '../../../database/deadline.ts'
import { failure } from '../../../errors/errors.ts'
import { findAccount } from '../accounts.store.ts'
import type { InstanceKey } from './instance-key.ts'

const stepSchema = z.object({ account: z.string(), password: z.string(), until: z.int() })
type StepContent = z.infer<typeof stepSchema>

export type LoginSteps = ReturnType<typeof createLoginSteps>

export function createLoginSteps({ key, now }: { key: InstanceKey; now: () => number }) {
  return {
    /** Issues a step for an account whose password was just verified. */
    issue({ id, password }: { id: string; password: string }): Promise<string> {
      const content: StepContent = {
        account: id,
        password: sha256(password),
        until: now() + LOGIN_STEP_LIFETIME,
      }
      return key.seal('login-step', JSON.stringify(content))
    },

    /**
     * Decrypts a step. Rejects with 401 if it was not sealed with the key of this instance, or has expired.
     */
    async open(step: string): Promise<StepContent> {
      const text = await key.open('login-step', step)
      const content = text === null ? null : stepSchema.parse(JSON.parse(text))
      if (!content || hasDeadlinePassed(content.until, now(), LOGIN_STEP_LIFETIME + CLOCK_MARGIN))
        throw failure.loginStepOver()
      return content
    },
  }
}

/** The account of a step. Rejects with 401 if the account is gone or its password was changed. */
export async function accountOfStep(queries: Queries, { account: id, password }: StepContent) {
  const account = await findAccount(queries, id)
  if (!account || sha256(account.password) !== password) throw failure.loginStepOver()
  return account
}
