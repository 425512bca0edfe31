/** The dialogs of the tokens page; at most one is open. */
import { Text } from '@mantine/core'
import type { TokenOnWire } from '../../../../src/contract/accounts/tokens.ts'
import { del } from '../../api/client.ts'
import { useTexts, useWords } from '../../language/language.tsx'
import { ConfirmDialog } from '../../ui/forms/confirm-dialog.tsx'
import { Dialog, type DialogState } from '../../ui/forms/dialog.tsx'
import { Time } from '../../ui/time.tsx'
import { type CreatedToken, EditForm, NewForm } from './form.tsx'
import { formWords } from './form-words.ts'
import { KeyView, SamplesOf } from './key-view.tsx'
import { words } from './words.ts'

/** What the dialog shows. */
export type ShownDialog =
  | { kind: 'new' }
  | { kind: 'key'; token: CreatedToken }
  | { kind: 'edit' | 'samples' | 'withdraw'; token: TokenOnWire }

/** The open dialog. A click outside does not close it, since that would lose what was typed, or the key. */
export function Dialogs({ dialog }: { dialog: DialogState<ShownDialog> }) {
  const title = useTitle()
  const { opened, subject: shown, open, onClose } = dialog
  const holdsKey = shown?.kind === 'key'
  return (
    <>
      <Dialog
        opened={opened && shown?.kind !== 'withdraw'}
        onClose={onClose}
        size="xl"
        title={shown && title(shown)}
        closeOnClickOutside={false}
        closeOnEscape={!holdsKey}
        withCloseButton={!holdsKey}
      >
        {shown?.kind === 'new' && (
          <NewForm onMade={token => open({ kind: 'key', token })} onClose={onClose} />
        )}
        {shown?.kind === 'edit' && <EditForm token={shown.token} onClose={onClose} />}
        {shown?.kind === 'key' && <KeyView token={shown.token} onClose={onClose} />}
        {shown?.kind === 'samples' && <SamplesOf token={shown.token} />}
      </Dialog>
      {shown?.kind === 'withdraw' && <WithdrawDialog token={shown.token} {...{ opened, onClose }} />}
    </>
  )
}

function useTitle() {
  const w = useWords(formWords)
  const page = useWords(words)
  return (dialog: ShownDialog) => {
    if (dialog.kind === 'new') return page.create
    if (dialog.kind === 'key') return w.readyTitle(dialog.token.name)
    return dialog.kind === 'edit' ? page.editOne(dialog.token.name) : page.howTo
  }
}

function WithdrawDialog({ token, ...dialog }: { token: TokenOnWire; opened: boolean; onClose(): void }) {
  const { w, format } = useTexts(words)
  const { id, name, dateien, bytes, zuletzt_benutzt: used } = token
  return (
    <ConfirmDialog
      {...dialog}
      title={w.withdrawTitle(name)}
      confirm={w.withdraw}
      onConfirm={() => del(`tokens/${id}`)}
      done={w.withdrawn(name)}
      refresh={['tokens']}
    >
      <Text mb="xs">{w.withdrawLoss}</Text>
      <Text>
        {w.withdrawLastUsed} <Time at={used} none={w.neverUsed} />.{' '}
        {dateien > 0 && w.filesStay(dateien, format.number(dateien), format.bytes(bytes))}
      </Text>
    </ConfirmDialog>
  )
}
