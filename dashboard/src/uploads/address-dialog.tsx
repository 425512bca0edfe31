/** A file from another address: the service fetches it. What it refuses stands beside the field. */
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { post } from '../api/client.ts'
import { useObservable } from '../hooks/observable.ts'
import { useWords } from '../language/language.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { useSentence } from '../parts/error-notice.tsx'
import { addressFolder } from './uploads.ts'
import { addressWords, planWords, words as uploadWords } from './words.ts'

export function AddressDialog() {
  const w = useWords(addressWords)
  const folder = useObservable(addressFolder)
  const close = () => addressFolder.set(null)
  return (
    <Modal
      opened={folder !== null}
      onClose={close}
      title={w.title}
      closeButtonProps={{ 'aria-label': w.close }}
    >
      {folder !== null && <Form folder={folder} onClose={close} />}
    </Modal>
  )
}

function Form({ folder, onClose }: { folder: string; onClose(): void }) {
  const w = useWords(addressWords)
  const { target } = useWords(planWords)
  const { top, copyAddress } = useWords(uploadWords)
  const sentence = useSentence()
  const queries = useQueryClient()
  const [url, setUrl] = useState('')
  const [name, setName] = useState('')
  const { mutate, data, error, isPending, reset } = useMutation({
    mutationFn: () => post('upload-url', { body: { url, ordner: folder, name: name.trim() } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['media'] }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    mutate()
  }
  if (data) {
    const another = () => {
      setUrl('')
      setName('')
      reset()
    }
    return (
      <Stack>
        <Text role="status">{w.done(data.path)}</Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={another}>
            {w.another}
          </Button>
          <CopyButton value={data.url} label={copyAddress} variant="filled" />
        </Group>
      </Stack>
    )
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text c="dimmed">{target(folder === '' ? top : folder)}</Text>
        <TextInput
          data-autofocus
          type="text"
          inputMode="url"
          label={w.address}
          description={w.addressHint}
          autoComplete="off"
          spellCheck={false}
          required
          value={url}
          error={error ? sentence(error) : null}
          onChange={event => setUrl(event.currentTarget.value)}
        />
        <TextInput
          label={w.name}
          description={w.nameHint}
          autoComplete="off"
          spellCheck={false}
          value={name}
          onChange={event => setName(event.currentTarget.value)}
        />
        {isPending && (
          <Text size="sm" c="dimmed" role="status">
            {w.fetching}
          </Text>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {w.cancel}
          </Button>
          <Button type="submit" loading={isPending} disabled={url.trim() === ''}>
            {w.fetch}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
