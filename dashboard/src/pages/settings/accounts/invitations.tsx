/**
 * The button that creates an invitation, and the list of invitations that can still be accepted, each with a
 * button to revoke it.
 */
import { Text, Title } from '@mantine/core'
import { IconLinkOff, IconMailPlus } from '@tabler/icons-react'
import { useState } from 'react'
import type { InvitationOnWire } from '../../../../../src/contract/accounts/invitations.ts'
import { del } from '../../../api/client.ts'
import { useGet } from '../../../api/use-get.ts'
import { useTexts, useWords } from '../../../language/language.tsx'
import { ButtonWithIcon } from '../../../ui/buttons.tsx'
import { DimmedText } from '../../../ui/dimmed-text.tsx'
import { ConfirmDialog } from '../../../ui/forms/confirm-dialog.tsx'
import { useDialog } from '../../../ui/forms/dialog.tsx'
import { QueryResult } from '../../../ui/query-result.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { RowsSkeleton } from '../../../ui/skeletons.tsx'
import { RightsText } from './account-list.tsx'
import classes from './accounts.module.css'
import { InviteDialog } from './invite-dialog.tsx'
import { words } from './words.ts'

export function InviteButton() {
  const w = useWords(words)
  const [isInviting, setInviting] = useState(false)
  return (
    <>
      <ButtonWithIcon icon={IconMailPlus} label={w.invite} onClick={() => setInviting(true)} />
      <InviteDialog opened={isInviting} onClose={() => setInviting(false)} />
    </>
  )
}

/** The list of open invitations; renders nothing if there are none. */
export function Invitations() {
  const w = useWords(words)
  const query = useGet('einladungen')
  const withdrawDialog = useDialog<InvitationOnWire>()
  return (
    <QueryResult query={query} skeleton={<RowsSkeleton rows={1} />}>
      {invitations =>
        invitations.length > 0 && (
          <div className={classes.invitations}>
            <Title order={3} fz="md">
              {w.invitations}
            </Title>
            <ul aria-label={w.invitations}>
              {invitations.map(invitation => (
                <InvitationRow
                  key={invitation.id}
                  invitation={invitation}
                  onWithdraw={() => withdrawDialog.open(invitation)}
                />
              ))}
            </ul>
            <ConfirmDialog
              {...withdrawDialog}
              title={w.withdrawTitle}
              confirmLabel={w.withdraw}
              onConfirm={() => del(`einladungen/${withdrawDialog.subject?.id}`)}
              successMessage={w.withdrawn}
              refresh={['einladungen', 'verwaltung']}
            >
              {w.withdrawHint}
            </ConfirmDialog>
          </div>
        )
      }
    </QueryResult>
  )
}

function InvitationRow({ invitation, onWithdraw }: { invitation: InvitationOnWire; onWithdraw(): void }) {
  const { w, format } = useTexts(words)
  return (
    <li className={classes.row}>
      <div className={classes.facts}>
        <Text>
          <RightsText {...invitation} />
        </Text>
        <DimmedText>
          {w.invitedBy(invitation.erstellt_von)} <RelativeTime timestamp={invitation.erstellt_am} /> ·{' '}
          {w.validUntil(format.moment(invitation.gueltig_bis))}
        </DimmedText>
      </div>
      <ButtonWithIcon
        icon={IconLinkOff}
        label={w.withdraw}
        variant="subtle"
        color="gray"
        c="var(--fundus-bad)"
        onClick={onWithdraw}
      />
    </li>
  )
}
