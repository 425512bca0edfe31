/** Invitations: single-use links with which people create accounts of a given role. */
import { z } from 'zod'
import { INVITATION_DEFAULT_DAYS, INVITATION_MAX_DAYS } from '../values/input-limits.ts'
import { accountFolders } from './account-folders.ts'
import { ROLES } from './roles.ts'
import { accountInput } from './session.ts'

export const invitationInput = z.strictObject({
  rolle: z.enum(ROLES),
  ordner: accountFolders.default(null).describe('Nur diese Ordner mit ihren Unterordnern; null: alle'),
  gueltig_tage: z
    .int('muss eine ganze Zahl sein')
    .min(1, 'muss mindestens 1 sein')
    .max(INVITATION_MAX_DAYS, `darf höchstens ${INVITATION_MAX_DAYS} sein`)
    .default(INVITATION_DEFAULT_DAYS),
})

/** `adresse`: the link with the secret code of the invitation. No other answer contains the code. */
export const createdInvitationAnswer = z.object({ id: z.string(), adresse: z.string(), gueltig_bis: z.int() })

/** Invitations that can still be accepted. */
export const invitationsAnswer = z.array(
  z.object({
    id: z.string(),
    rolle: z.enum(ROLES),
    ordner: z.array(z.string()).readonly().nullable(),
    gueltig_bis: z.int(),
    erstellt_am: z.int(),
    erstellt_von: z.string(),
  }),
)
export type InvitationOnWire = z.output<typeof invitationsAnswer>[number]

export const acceptInvitationInput = z.strictObject({
  ...accountInput.shape,
  code: z.string().max(100, 'ist zu lang'),
})
