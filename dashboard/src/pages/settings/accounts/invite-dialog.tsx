/**
 * The dialog that creates an invitation, copies its link (if the browser allows it) and shows the link once.
 */
import { Button, NativeSelect, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import {
  INVITATION_DEFAULT_DAYS,
  INVITATION_MAX_DAYS,
} from '../../../../../src/contract/values/input-limits.ts'
import { post } from '../../../api/client.ts'
import { useRefresh } from '../../../api/use-refresh.ts'
import { useTexts, useWords } from '../../../language/language.tsx'
import { copyText } from '../../../ui/clipboard.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { DimmedText } from '../../../ui/dimmed-text.tsx'
import { MiddleTruncatedText } from '../../../ui/files/middle-truncated-text.tsx'
import { Dialog } from '../../../ui/forms/dialog.tsx'
import { DialogButtons } from '../../../ui/forms/dialog-buttons.tsx'
import { Form, useTextForm } from '../../../ui/forms/form.tsx'
import { parseRights, rightsTextsOf } from './rights.ts'
import { RightsFields } from './rights-fields.tsx'
import { useFolderRule } from './use-folder-rule.ts'
import { words } from './words.ts'

const VALIDITY_DAYS = [1, INVITATION_DEFAULT_DAYS, 30, INVITATION_MAX_DAYS]

interface CreatedInvitation {
  adresse: string
  gueltig_bis: number
  isCopied: boolean
}

export function InviteDialog({ opened, onClose }: { opened: boolean; onClose(): void }) {
  const w = useWords(words)
  const [invitation, setInvitation] = useState<CreatedInvitation | null>(null)
  const close = () => {
    onClose()
    setInvitation(null)
  }
  return (
    <Dialog opened={opened} onClose={close} size="lg" title={invitation ? w.invitationReady : w.invite}>
      {invitation ? (
        <InvitationLink invitation={invitation} onClose={close} />
      ) : (
        <InviteForm onCreated={setInvitation} onCancel={close} />
      )}
    </Dialog>
  )
}

function InviteForm({
  onCreated,
  onCancel,
}: {
  onCreated(invitation: CreatedInvitation): void
  onCancel(): void
}) {
  const w = useWords(words)
  const refresh = useRefresh()
  const checkFolders = useFolderRule()
  const { values, set, field, form } = useTextForm({
    initialValues: {
      ...rightsTextsOf({ rolle: 'redaktion', ordner: null }),
      tage: String(INVITATION_DEFAULT_DAYS),
    },
    check: values => checkFolders(values),
    async send(values) {
      const body = { ...parseRights(values), gueltig_tage: Number(values.tage) }
      const invitation = await post('einladungen', { body })
      return { ...invitation, isCopied: await copyText(invitation.adresse) }
    },
    onSent(invitation) {
      void refresh('einladungen', 'verwaltung')
      onCreated(invitation)
    },
  })
  return (
    <Form {...form} submit={w.inviteAndCopy} onCancel={onCancel}>
      <DimmedText>{w.inviteHint}</DimmedText>
      <RightsFields values={values} set={set} error={field('ordner').error} />
      <NativeSelect
        label={w.validFor}
        data={VALIDITY_DAYS.map(days => ({ value: String(days), label: w.days(days, days) }))}
        value={values.tage}
        onChange={event => set({ tage: event.currentTarget.value })}
      />
    </Form>
  )
}

function InvitationLink({ invitation, onClose }: { invitation: CreatedInvitation; onClose(): void }) {
  const { w, format } = useTexts(words)
  return (
    <Stack>
      <Text role="status">
        {invitation.isCopied && <b>{w.copied} </b>}
        {w.invitationHint(format.moment(invitation.gueltig_bis))}
      </Text>
      <MiddleTruncatedText>{invitation.adresse}</MiddleTruncatedText>
      <DialogButtons>
        <Button variant="default" onClick={onClose}>
          {w.close}
        </Button>
        <CopyButton value={invitation.adresse} label={w.copyLink} variant="filled" />
      </DialogButtons>
    </Stack>
  )
}
