/** The sessions of the account that is signed in, on the wire. */
import { z } from 'zod'

/**
 * Times are Unix milliseconds: `begonnen` is the sign-in, `zuletzt` the last recorded use; the session may
 * have been used again up to six minutes after that. `adresse` and `programm` (`User-Agent`) are those of the
 * last recorded use; null: unknown. `diese`: whether it is the session of this request.
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
