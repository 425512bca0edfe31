/** The token with which a route was called. */
import type { LimitFields } from '../../contract/accounts/token-limits.ts'

export interface Token extends LimitFields {
  id: string
  name: string
}
