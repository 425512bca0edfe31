/** The section for the authenticator app of the account. */
import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { del } from '../../../api/client.ts'
import { useGet } from '../../../api/use-get.ts'
import { useRefresh } from '../../../api/use-refresh.ts'
import { useWords } from '../../../language/language.tsx'
import { DimmedText } from '../../../ui/dimmed-text.tsx'
import { Dialog, useDialog } from '../../../ui/forms/dialog.tsx'
import { FormDialog } from '../../../ui/forms/form-dialog.tsx'
import { TitledBox } from '../../../ui/lists/titled-box.tsx'
import { PasswordField } from '../../../ui/native/field.tsx'
import { useNotify } from '../../../ui/notify.tsx'
import { QueryResult } from '../../../ui/query-result.tsx'
import { RowsSkeleton } from '../../../ui/skeletons.tsx'
import { accountWords } from '../../../ui/words.ts'
import { TotpSetup } from './totp-setup.tsx'
import { words } from './words.ts'

export function TotpSection() {
  const w = useWords(words)
  const query = useGet('ich')
  const setupDialog = useDialog()
  const removalDialog = useDialog()
  return (
    <TitledBox title={w.title}>
      <DimmedText mb="md">{w.hint}</DimmedText>
      <QueryResult query={query} skeleton={<RowsSkeleton rows={1} />}>
        {({ zweiter_faktor }) =>
          zweiter_faktor === null ? (
            <Button variant="default" onClick={() => setupDialog.open(true)}>
              {w.setUp}
            </Button>
          ) : (
            <>
              <Text mb="xs">{w.isOn}</Text>
              <Button variant="default" onClick={() => removalDialog.open(true)}>
                {w.remove}
              </Button>
            </>
          )
        }
      </QueryResult>
      <SetupDialog opened={setupDialog.opened} onClose={setupDialog.onClose} />
      <RemovalDialog opened={removalDialog.opened} onClose={removalDialog.onClose} />
    </TitledBox>
  )
}

function SetupDialog({ opened, onClose }: { opened: boolean; onClose(): void }) {
  const w = useWords(words)
  const refresh = useRefresh()
  const [showsCodes, setShowsCodes] = useState(false)
  const close = () => {
    onClose()
    setShowsCodes(false)
    void refresh('ich')
  }
  return (
    <Dialog
      opened={opened}
      title={w.setUp}
      // Only buttons close the dialog; while it shows the emergency codes, only the button below them does.
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={!showsCodes}
      onClose={close}
    >
      <TotpSetup onCodesShown={() => setShowsCodes(true)} onDone={close} />
    </Dialog>
  )
}

function RemovalDialog({ opened, onClose }: { opened: boolean; onClose(): void }) {
  const w = useWords(words)
  const { password } = useWords(accountWords)
  const notify = useNotify()
  const refresh = useRefresh()
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={w.removeTitle}
      submit={w.remove}
      danger
      initialValues={{ passwort: '' }}
      isLocked={({ passwort }) => passwort === ''}
      send={body => del('totp', { body })}
      onSent={() => {
        notify.showSuccess(w.removed)
        void refresh('ich')
        onClose()
      }}
    >
      {({ field }) => (
        <>
          <Text>{w.removeHint}</Text>
          <PasswordField label={password} autoComplete="current-password" {...field('passwort')} />
        </>
      )}
    </FormDialog>
  )
}
