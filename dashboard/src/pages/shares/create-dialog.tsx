/** Asks for a folder, makes the share, and shows its link. */
import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { ShareOnWire } from '../../../../src/contract/shares.ts'
import { post } from '../../api/client.ts'
import { useRefresh } from '../../api/use-refresh.ts'
import { useWords } from '../../language/language.tsx'
import { Dialog, DialogButtons } from '../../parts/dialog.tsx'
import { useSentence } from '../../parts/error-notice.tsx'
import { FolderField } from '../../parts/folder-field.tsx'
import { tidyFolder } from '../../parts/folder-list.ts'
import { Form, useTextForm } from '../../parts/form.tsx'
import { Quiet } from '../../parts/quiet.tsx'
import { AddressLine } from './address-line.tsx'
import { words } from './words.ts'

export interface CreateDialogProps {
  opened: boolean
  /** The first content of the field. */
  folder: string
  onClose(): void
}

export function CreateDialog({ opened, folder, onClose }: CreateDialogProps) {
  const w = useWords(words)
  const [made, setMade] = useState<ShareOnWire | null>(null)
  const close = () => {
    onClose()
    setMade(null)
  }
  return (
    <Dialog opened={opened} onClose={close} size="lg" title={made ? w.ready(made.ordner) : w.create}>
      {made ? (
        <Stack>
          <Text role="status">{w.readyHint}</Text>
          <AddressLine url={made.url} isMain />
          <DialogButtons>
            <Button variant="default" onClick={close}>
              {w.done}
            </Button>
          </DialogButtons>
        </Stack>
      ) : (
        <CreateForm start={folder} onMade={setMade} onCancel={close} />
      )}
    </Dialog>
  )
}

interface CreateFormProps {
  start: string
  onMade(share: ShareOnWire): void
  onCancel(): void
}

function CreateForm({ start, onMade, onCancel }: CreateFormProps) {
  const w = useWords(words)
  const sentence = useSentence()
  const refresh = useRefresh()
  const { field, form, set, sending } = useTextForm({
    start: { ordner: start },
    check: ({ ordner }) => ({ ordner: tidyFolder(ordner) === '' && w.folderMissing }),
    send: ({ ordner }) => post('freigaben', { body: { ordner: tidyFolder(ordner) } }),
    onSent(share) {
      void refresh('freigaben')
      onMade(share)
    },
  })
  const { error } = field('ordner')
  return (
    <Form {...form} error={null} submit={w.makeLink} onCancel={onCancel}>
      <FolderField
        label={w.folder}
        description={w.folderHint}
        placeholder={w.folderPlaceholder}
        required
        data-autofocus
        value={field('ordner').value}
        onChange={ordner => {
          set({ ordner })
          sending.reset()
        }}
        error={error || (form.error && sentence(form.error))}
      />
      <Quiet>{w.whatItDoes}</Quiet>
    </Form>
  )
}
