/** The dialogs of the tokens page; at most one is open. */
import { Text } from '@mantine/core'
import type { TokenOnWire } from '../../../../src/contract/tokens.ts'
import { del } from '../../api/client.ts'
import { useRefresh } from '../../api/use-refresh.ts'
import { useLast } from '../../hooks/use-last.ts'
import { useTexts, useWords } from '../../language/language.tsx'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { useNotify } from '../../parts/notify.tsx'
import { Time } from '../../parts/time.tsx'
import { type CreatedToken, EditForm, NewForm } from './form.tsx'
import { formWords } from './form-words.ts'
import { KeyView, SamplesOf } from './key-view.tsx'
import { words } from './words.ts'

export type OpenDialog =
  | { kind: 'new' }
  | { kind: 'key'; token: CreatedToken }
  | { kind: 'edit' | 'samples' | 'withdraw'; token: TokenOnWire }

interface DialogsProps {
  dialog: OpenDialog | null
  onChange(dialog: OpenDialog | null): void
}

export function Dialogs({ dialog, onChange }: DialogsProps) {
  const close = () => onChange(null)
  return (
    <>
      <Work dialog={dialog?.kind === 'withdraw' ? null : dialog} onChange={onChange} />
      <WithdrawDialog token={dialog?.kind === 'withdraw' ? dialog.token : null} onClose={close} />
    </>
  )
}

/** A click beside the dialog does not close it, since that would lose typed text or the key. */
function Work({ dialog, onChange }: DialogsProps) {
  const title = useTitle()
  const shown = useLast(dialog)
  const close = () => onChange(null)
  const holdsKey = shown?.kind === 'key'
  return (
    <Dialog
      opened={dialog !== null}
      onClose={close}
      size="xl"
      title={shown && title(shown)}
      closeOnClickOutside={false}
      closeOnEscape={!holdsKey}
      withCloseButton={!holdsKey}
    >
      {shown?.kind === 'new' && (
        <NewForm onMade={token => onChange({ kind: 'key', token })} onClose={close} />
      )}
      {shown?.kind === 'edit' && <EditForm token={shown.token} onClose={close} />}
      {shown?.kind === 'key' && <KeyView token={shown.token} onClose={close} />}
      {shown?.kind === 'samples' && <SamplesOf token={shown.token} />}
    </Dialog>
  )
}

function useTitle() {
  const w = useWords(formWords)
  const page = useWords(words)
  return (dialog: OpenDialog) => {
    if (dialog.kind === 'new') return w.createTitle
    if (dialog.kind === 'key') return w.readyTitle(dialog.token.name)
    return dialog.kind === 'edit' ? w.editTitle(dialog.token.name) : page.howTo
  }
}

function WithdrawDialog({ token, onClose }: { token: TokenOnWire | null; onClose(): void }) {
  const { w, format } = useTexts(words)
  const notify = useNotify()
  const refresh = useRefresh()
  const shown = useLast(token)
  if (!shown) return null
  const { id, name, dateien, bytes, zuletzt_benutzt: used } = shown
  const withdraw = async () => {
    await del(`tokens/${id}`)
    notify.done(w.withdrawn(name))
    await refresh('tokens')
  }
  return (
    <ConfirmDialog
      opened={token !== null}
      onClose={onClose}
      title={w.withdrawTitle(name)}
      confirm={w.withdraw}
      onConfirm={withdraw}
    >
      <Text mb="xs">{w.withdrawLoss}</Text>
      <Text>
        {w.withdrawLastUsed} <Time at={used} none={w.neverUsed} />.{' '}
        {dateien > 0 && w.filesStay(dateien, format.number(dateien), format.bytes(bytes))}
      </Text>
    </ConfirmDialog>
  )
}
