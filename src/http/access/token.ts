/** The token with which a route was called. */
import type { Limits } from '../../contract/accounts/token-limits.ts'

export interface Token extends Limits {
  id: string
  name: string
}
