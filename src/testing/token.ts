/** A token without limits, except the given ones. */
import { NO_LIMITS } from '../contract/accounts/token-limits.ts'
import type { Token } from '../http/access/token.ts'

export const tokenWith = (given: Partial<Token> = {}): Token => ({
  id: 't',
  name: 't',
  ...NO_LIMITS,
  ...given,
})
