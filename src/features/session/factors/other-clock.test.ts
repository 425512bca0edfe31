/** What one instance has issued is accepted by another one whose clock is a little behind. */
import { expect, test } from 'bun:test'
import { EXTERNAL_SIGN_IN_LIFETIME } from '../../../contract/accounts/external.ts'
import { CHALLENGE_LIFETIME, LOGIN_STEP_LIFETIME } from '../../../contract/accounts/factors.ts'
import { encodePendingSignIn, findPendingSignIn } from '../../external-sign-in/pending-sign-in.ts'
import { createChallenges } from './challenges.ts'
import type { InstanceKey } from './instance-key.ts'
import { createLoginSteps } from './login-step.ts'

const ISSUED_AT = 1_800_000_000_000
/** Seals nothing. */
const key = {
  seal: async (_purpose: string, text: string) => Buffer.from(text).toString('base64url'),
  open: async (_purpose: string, sealed: string) => Buffer.from(sealed, 'base64url').toString(),
} as unknown as InstanceKey

const CLOCKS = (lifetime: number) =>
  [
    ['the same', 0, true],
    ['5 ms behind', -5, true],
    ['half a minute behind', -30_000, true],
    ['days behind', -1e9, false],
    ['just before the end', lifetime - 1, true],
    ['at the end', lifetime, false],
  ] as const

test.each(CLOCKS(CHALLENGE_LIFETIME))('a challenge, by a clock that is %s', async (_, ahead, isValid) => {
  const challenge = await createChallenges({ key, now: () => ISSUED_AT }).issue('passkey-sign-in')
  const text = Buffer.from(challenge).toString('base64url')
  expect(await createChallenges({ key, now: () => ISSUED_AT + ahead }).isValid('passkey-sign-in', text)).toBe(
    isValid,
  )
})

test.each(CLOCKS(LOGIN_STEP_LIFETIME))('a login step, by a clock that is %s', async (_, ahead, isValid) => {
  const step = await createLoginSteps({ key, now: () => ISSUED_AT }).issue({ id: 'a', password: 'hash' })
  const opened = createLoginSteps({ key, now: () => ISSUED_AT + ahead }).open(step)
  expect(
    await opened.then(
      () => true,
      () => false,
    ),
  ).toBe(isValid)
})

test.each(CLOCKS(EXTERNAL_SIGN_IN_LIFETIME))(
  'a sign-in elsewhere, by a clock that is %s',
  (_, ahead, isValid) => {
    const [state, nonce, verifier] = ['s'.repeat(20), 'n'.repeat(20), 'v'.repeat(43)]
    const pending = {
      provider: 'oidc',
      state,
      nonce,
      verifier,
      begunAt: ISSUED_AT,
      isTrial: false,
      returnTo: '',
    } as const
    const found = findPendingSignIn([encodePendingSignIn(pending)], {
      provider: 'oidc',
      state,
      now: ISSUED_AT + ahead,
    })
    expect(found !== null).toBe(isValid)
  },
)
