/** `/api/dash/einladungen`: list, create and withdraw invitations. */
import {
  createdInvitationAnswer,
  type InvitationOnWire,
  invitationInput,
  invitationsAnswer,
} from '../../../contract/accounts/invitations.ts'
import { doneAnswer } from '../../../contract/accounts/session.ts'
import { invitationLink } from '../../../contract/accounts/setup-link.ts'
import { DASHBOARD_ROUTE } from '../../../contract/paths/addresses.ts'
import { type SessionRoute, sessionRoute } from '../../../http/route-rights.ts'
import { answerOkWhenDone } from '../../../http/routes.ts'
import type { Settings } from '../../settings/settings.ts'
import { parseFolders } from '../accounts.store.ts'
import type { Invitation } from './invitations.store.ts'
import type { Invitations } from './invitations.ts'

const PATH = `${DASHBOARD_ROUTE}/einladungen`

interface InvitationRouteParts {
  invitations: Invitations
  settings: Settings
}

export function invitationRoutes({ invitations, settings }: InvitationRouteParts): SessionRoute[] {
  return [
    sessionRoute('GET', PATH, {
      summary: 'Die offenen Einladungen, die neueste zuerst',
      role: 'betreiber',
      answer: invitationsAnswer,
      handle: async () => (await invitations.list()).map(invitationOnWire),
    }),
    sessionRoute('POST', PATH, {
      summary: 'Lädt ein: Wer den Link öffnet, legt einmal ein Konto dieser Rolle an',
      role: 'betreiber',
      body: invitationInput,
      answer: createdInvitationAnswer,
      async handle({ body }, { actor }) {
        const { id, code, expires_at } = await invitations.create(body, actor)
        return { id, adresse: invitationLink(settings.current().PUBLIC_URL, code), gueltig_bis: expires_at }
      },
    }),
    sessionRoute('DELETE', `${PATH}/:id`, {
      summary: 'Widerruft eine Einladung',
      role: 'betreiber',
      answer: doneAnswer,
      handle: ({ param }, { actor }) => answerOkWhenDone(invitations.withdraw(param('id'), actor)),
    }),
  ]
}

/** Field by field, so that the hash of the code never reaches the answer. */
const invitationOnWire = ({
  id,
  role,
  folders,
  created_at,
  created_by,
  expires_at,
}: Invitation): InvitationOnWire => ({
  id,
  rolle: role,
  ordner: parseFolders({ folders }),
  gueltig_bis: expires_at,
  erstellt_am: created_at,
  erstellt_von: created_by,
})
