/** A token without limits, except the given ones. */
import { type LimitFields, TOKEN_LIMITS } from '../contract/accounts/token-limits.ts'
import type { Token } from '../http/access/token.ts'

const UNLIMITED = Object.fromEntries(
  TOKEN_LIMITS.map(({ field, kind }) => [field, kind === 'right' ? false : null]),
) as LimitFields

export const tokenWith = (given: Partial<Token> = {}): Token => ({
  id: 't',
  name: 't',
  ...UNLIMITED,
  ...given,
})
