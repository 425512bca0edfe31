/** The upload ticket that authorized a request. */
import type { Queries } from '../../database/database.ts'
import type { Token } from './actor.ts'

export interface TicketUse {
  /** Identifies the ticket on the server; it is not the secret of the ticket. */
  id: string
  usesLeft: number
  /** The token behind the ticket, narrowed by the limits of the ticket. */
  token: Token
  /** The target path; null: the caller may name one below the token's prefix. */
  path: string | null
  overwrite: boolean
  /** Counts one use, in the transaction that records the uploaded file. Throws if no use is left. */
  claim(tx: Queries): Promise<void>
}
