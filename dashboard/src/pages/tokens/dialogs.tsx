/** The dialogs of the tokens page; at most one is open. */
import { Text } from '@mantine/core'
import type { TokenOnWire } from '../../../../src/contract/accounts/tokens.ts'
import { del } from '../../api/client.ts'
import { useTexts, useWords } from '../../language/language.tsx'
import { ConfirmDialog } from '../../ui/forms/confirm-dialog.tsx'
import { Dialog, type DialogState } from '../../ui/forms/dialog.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { type CreatedToken, EditTokenForm, NewTokenForm } from './form.tsx'
import { formWords } from './form-words.ts'
import { KeyView, TokenSamples } from './key-view.tsx'
import { words } from './words.ts'

/** What the open dialog shows, and for which token. */
export type TokenDialogContent =
  | { kind: 'new' }
  | { kind: 'key'; token: CreatedToken }
  | { kind: 'edit' | 'samples' | 'withdraw'; token: TokenOnWire }

/**
 * The open dialog. Unless it only asks for confirmation, a click outside does not close it, because that
 * would lose the typed text or the new key. While the dialog shows a new key, only its button closes it.
 */
export function TokenDialogs({ dialog }: { dialog: DialogState<TokenDialogContent> }) {
  const titleOf = useDialogTitle()
  const { opened, subject: content, open, onClose } = dialog
  const showsKey = content?.kind === 'key'
  return (
    <>
      <Dialog
        opened={opened && content?.kind !== 'withdraw'}
        onClose={onClose}
        size="xl"
        title={content && titleOf(content)}
        closeOnClickOutside={false}
        closeOnEscape={!showsKey}
        withCloseButton={!showsKey}
      >
        {content?.kind === 'new' && (
          <NewTokenForm onCreated={token => open({ kind: 'key', token })} onClose={onClose} />
        )}
        {content?.kind === 'edit' && <EditTokenForm token={content.token} onClose={onClose} />}
        {content?.kind === 'key' && <KeyView token={content.token} onClose={onClose} />}
        {content?.kind === 'samples' && <TokenSamples token={content.token} />}
      </Dialog>
      {content?.kind === 'withdraw' && (
        <WithdrawDialog token={content.token} opened={opened} onClose={onClose} />
      )}
    </>
  )
}

function useDialogTitle() {
  const w = useWords(formWords)
  const pageTexts = useWords(words)
  return (dialog: TokenDialogContent) => {
    if (dialog.kind === 'new') return pageTexts.create
    if (dialog.kind === 'key') return w.readyTitle(dialog.token.name)
    return dialog.kind === 'edit' ? pageTexts.editOne(dialog.token.name) : pageTexts.howTo
  }
}

function WithdrawDialog({ token, ...dialog }: { token: TokenOnWire; opened: boolean; onClose(): void }) {
  const { w, format } = useTexts(words)
  const { id, name, dateien, bytes, zuletzt_benutzt: lastUsedAt } = token
  return (
    <ConfirmDialog
      {...dialog}
      title={w.withdrawTitle(name)}
      confirmLabel={w.withdraw}
      onConfirm={() => del(`tokens/${id}`)}
      successMessage={w.withdrawn(name)}
      refresh={['tokens']}
    >
      <Text mb="xs">{w.withdrawLoss}</Text>
      <Text>
        {w.withdrawLastUsed} <RelativeTime timestamp={lastUsedAt} none={w.neverUsed} />.{' '}
        {dateien > 0 && w.filesStay(dateien, format.number(dateien), format.bytes(bytes))}
      </Text>
    </ConfirmDialog>
  )
}
