/** The dialog that asks for a folder and an end date, creates a share of the folder, and shows its link. */
import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ShareOnWire } from '../../../../src/contract/files/shares.ts'
import { post } from '../../api/client.ts'
import { useRefresh } from '../../api/use-refresh.ts'
import { useTexts, useWords } from '../../language/language.tsx'
import { copyText } from '../../ui/clipboard.ts'
import { DimmedText } from '../../ui/dimmed-text.tsx'
import { useErrorText } from '../../ui/error-notice.tsx'
import { Dialog } from '../../ui/forms/dialog.tsx'
import { DialogButtons } from '../../ui/forms/dialog-buttons.tsx'
import { FolderField } from '../../ui/forms/folder-field.tsx'
import { trimFolder } from '../../ui/forms/folder-list.ts'
import { Form, useTextForm } from '../../ui/forms/form.tsx'
import { endOfDay, lastValidDay } from '../tokens/validity.ts'
import { AddressLine } from './address-line.tsx'
import { words } from './words.ts'

export interface CreateShareDialogProps {
  opened: boolean
  /** The initial value of the field for the folder, or the fixed folder. */
  folder: string
  /** Whether only `folder` can be shared, so that there is no field for it. */
  isFolderFixed?: boolean
  onClose(): void
}

interface CreatedShare extends ShareOnWire {
  isCopied: boolean
}

export function CreateShareDialog({
  opened,
  folder,
  isFolderFixed = false,
  onClose,
}: CreateShareDialogProps) {
  const { w, format } = useTexts(words)
  const [createdShare, setCreatedShare] = useState<CreatedShare | null>(null)
  const title = isFolderFixed ? w.shareOne(folder) : w.create
  const close = () => {
    onClose()
    setCreatedShare(null)
  }
  return (
    <Dialog
      opened={opened}
      onClose={close}
      size="lg"
      title={createdShare ? w.ready(createdShare.ordner) : title}
    >
      {createdShare ? (
        <Stack>
          <Text role="status">
            {createdShare.isCopied && <b>{w.copied} </b>}
            {w.readyHint}{' '}
            {createdShare.gueltig_bis === null
              ? w.neverExpires
              : w.endsBy(format.moment(createdShare.gueltig_bis))}
          </Text>
          <AddressLine url={createdShare.url} isMain />
          <DialogButtons>
            <Button variant="default" onClick={close}>
              {w.done}
            </Button>
          </DialogButtons>
        </Stack>
      ) : (
        <CreateShareForm
          initialFolder={folder}
          isFolderFixed={isFolderFixed}
          onCreated={setCreatedShare}
          onCancel={close}
        />
      )}
    </Dialog>
  )
}

interface CreateFormProps {
  initialFolder: string
  isFolderFixed: boolean
  onCreated(share: CreatedShare): void
  onCancel(): void
}

function CreateShareForm({ initialFolder, isFolderFixed, onCreated, onCancel }: CreateFormProps) {
  const w = useWords(words)
  const errorTextOf = useErrorText()
  const refresh = useRefresh()
  const { field, form, set, submission } = useTextForm({
    initialValues: { ordner: initialFolder, bis: '' },
    check: ({ ordner, bis }) => ({
      ordner: trimFolder(ordner) === '' && w.folderMissing,
      bis: bis !== '' && endOfDay(bis) === undefined && w.dayWrong,
    }),
    async send({ ordner, bis }) {
      const body = { ordner: trimFolder(ordner), gueltig_bis: endOfDay(bis) ?? null }
      const share = await post('freigaben', { body })
      return { ...share, isCopied: await copyText(share.url) }
    },
    onSent(share) {
      void refresh('freigaben')
      onCreated(share)
    },
  })
  const { error } = field('ordner')
  return (
    <Form {...form} error={isFolderFixed ? form.error : null} submit={w.makeLink} onCancel={onCancel}>
      {!isFolderFixed && (
        <FolderField
          label={w.folder}
          description={w.folderHint}
          placeholder={w.folderPlaceholder}
          required
          data-autofocus
          value={field('ordner').value}
          onChange={ordner => {
            set({ ordner })
            submission.reset()
          }}
          error={error || (form.error && errorTextOf(form.error))}
        />
      )}
      <TextInput
        label={w.until}
        description={w.untilHint}
        type="date"
        min={lastValidDay(Date.now())}
        {...field('bis')}
      />
      <DimmedText>{w.whatItDoes}</DimmedText>
    </Form>
  )
}
