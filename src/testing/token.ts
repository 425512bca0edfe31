/** Creates a token without limits, except those in `overrides`. */
import { NO_LIMITS } from '../contract/accounts/token-limits.ts'
import type { Token } from '../http/access/actor.ts'

export const tokenWith = (overrides: Partial<Token> = {}): Token => ({
  id: 't',
  name: 't',
  ...NO_LIMITS,
  ...overrides,
})
