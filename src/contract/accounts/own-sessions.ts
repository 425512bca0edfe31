/** The sessions of the account that is signed in, on the wire. */
import { z } from 'zod'

/**
 * Times are Unix milliseconds: `begonnen` is the sign-in, `zuletzt` the last use, up to six minutes late.
 * `adresse` and `programm` (`User-Agent`) are those of the last use; null: unknown. `diese`: whether it is
 * the session of this request.
 */
export const ownSessionsAnswer = z.array(
  z.object({
    id: z.string(),
    begonnen: z.int(),
    zuletzt: z.int(),
    adresse: z.string().nullable(),
    programm: z.string().nullable(),
    diese: z.boolean(),
  }),
)
export type OwnSession = z.output<typeof ownSessionsAnswer>[number]
