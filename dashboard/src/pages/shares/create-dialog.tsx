/** Which folder? Then the link, ready to be handed on. */
import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { ShareOnWire } from '../../../../src/contract/shares.ts'
import { post } from '../../api/client.ts'
import { useWords } from '../../language/language.tsx'
import { useSentence } from '../../parts/error-notice.tsx'
import { FolderField } from '../../parts/folder-field.tsx'
import { tidyFolder } from '../../parts/folder-list.ts'
import { AddressLine } from './address-line.tsx'
import { words } from './words.ts'

export interface CreateDialogProps {
  opened: boolean
  /** What the field holds at first. */
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
    <Modal
      opened={opened}
      onClose={close}
      size="lg"
      title={made ? w.ready(made.ordner) : w.create}
      closeButtonProps={{ 'aria-label': w.close }}
    >
      {made ? (
        <Stack>
          <Text role="status">{w.readyHint}</Text>
          <AddressLine url={made.url} isMain />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {w.done}
            </Button>
          </Group>
        </Stack>
      ) : (
        <CreateForm start={folder} onMade={setMade} onCancel={close} />
      )}
    </Modal>
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
  const queries = useQueryClient()
  const [typed, setTyped] = useState(start)
  const [isMissing, setMissing] = useState(false)
  const create = useMutation({
    mutationFn: (ordner: string) => post('freigaben', { body: { ordner } }),
    onSuccess(share) {
      void queries.invalidateQueries({ queryKey: ['freigaben'] })
      onMade(share)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const ordner = tidyFolder(typed)
    setMissing(ordner === '')
    if (ordner !== '') create.mutate(ordner)
  }
  const change = (text: string) => {
    setTyped(text)
    setMissing(false)
    create.reset()
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <FolderField
          label={w.folder}
          description={w.folderHint}
          placeholder={w.folderPlaceholder}
          required
          data-autofocus
          value={typed}
          onChange={change}
          error={isMissing ? w.folderMissing : create.error && sentence(create.error)}
        />
        <Text size="sm" c="dimmed">
          {w.whatItDoes}
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            {w.cancel}
          </Button>
          <Button type="submit" loading={create.isPending}>
            {w.makeLink}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
