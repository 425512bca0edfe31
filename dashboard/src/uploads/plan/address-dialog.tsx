/** The dialog for storing a file from a URL, which the service fetches. Errors are shown beside the field. */
import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { post } from '../../api/client.ts'
import { useRefresh } from '../../api/use-refresh.ts'
import { useWords } from '../../language/language.tsx'
import { useObservable } from '../../state/observable.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { DimmedText } from '../../ui/dimmed-text.tsx'
import { useErrorText } from '../../ui/error-notice.tsx'
import { Dialog } from '../../ui/forms/dialog.tsx'
import { Form, useTextForm } from '../../ui/forms/form.tsx'
import { addressDialogFolder } from '../uploads.ts'
import { words as uploadWords } from '../words.ts'
import { addressWords, planWords } from './dialog-words.ts'

export function AddressDialog() {
  const w = useWords(addressWords)
  const folder = useObservable(addressDialogFolder)
  const close = () => addressDialogFolder.set(null)
  return (
    <Dialog opened={folder !== null} onClose={close} title={w.fromAddress}>
      {folder !== null && <AddressForm folder={folder} onClose={close} />}
    </Dialog>
  )
}

function AddressForm({ folder, onClose }: { folder: string; onClose(): void }) {
  const w = useWords(addressWords)
  const { target: targetText } = useWords(planWords)
  const { top: topName, copyAddress } = useWords(uploadWords)
  const errorTextOf = useErrorText()
  const refresh = useRefresh()
  const { values, set, field, form, submission } = useTextForm({
    initialValues: { url: '', name: '' },
    send: ({ url, name }) => post('upload-url', { body: { url, ordner: folder, name: name.trim() } }),
    onSent: () => void refresh('media'),
  })
  const { data } = submission
  if (data) {
    const clearForm = () => {
      set({ url: '', name: '' })
      submission.reset()
    }
    return (
      <Stack>
        <Text role="status">{w.done(data.path)}</Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={clearForm}>
            {w.another}
          </Button>
          <CopyButton value={data.url} label={copyAddress} variant="filled" />
        </Group>
      </Stack>
    )
  }
  return (
    <Form {...form} error={null} submit={w.fetch} disabled={values.url.trim() === ''} onCancel={onClose}>
      <Text c="dimmed">{targetText(folder === '' ? topName : folder)}</Text>
      <TextInput
        {...field('url')}
        data-autofocus
        inputMode="url"
        label={w.address}
        description={w.addressHint}
        autoComplete="off"
        spellCheck={false}
        required
        error={form.error && errorTextOf(form.error)}
      />
      <TextInput
        {...field('name')}
        label={w.name}
        description={w.nameHint}
        autoComplete="off"
        spellCheck={false}
      />
      {form.isBusy && <DimmedText role="status">{w.fetching}</DimmedText>}
    </Form>
  )
}
