/** Changing one's own password. */
import { Button, Group, Modal, PasswordInput, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { PASSWORD_MIN } from '../../../src/contract/limits.ts'
import { post } from '../api/client.ts'
import { useWords } from '../language/language.tsx'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { useNotify } from '../parts/notify.tsx'
import { words } from './words.ts'

export function PasswordDialog({ opened, onClose }: { opened: boolean; onClose(): void }) {
  const w = useWords(words)
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={w.changePassword}
      closeButtonProps={{ 'aria-label': w.close }}
    >
      <PasswordForm onDone={onClose} />
    </Modal>
  )
}

function PasswordForm({ onDone }: { onDone(): void }) {
  const w = useWords(words)
  const notify = useNotify()
  const [alt, setOld] = useState('')
  const [neu, setNew] = useState('')
  const [tried, setTried] = useState(false)
  const short = [...neu].length < PASSWORD_MIN
  const change = useMutation({
    mutationFn: () => post('passwort', { body: { alt, neu } }),
    onSuccess() {
      notify.done(w.passwordChanged)
      onDone()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!short) change.mutate()
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <PasswordInput
          label={w.passwordOld}
          autoComplete="current-password"
          data-autofocus
          value={alt}
          onChange={event => setOld(event.currentTarget.value)}
        />
        <PasswordInput
          label={w.passwordNew}
          description={w.passwordRule(PASSWORD_MIN)}
          autoComplete="new-password"
          error={tried && short ? w.passwordShort(PASSWORD_MIN) : null}
          value={neu}
          onChange={event => setNew(event.currentTarget.value)}
        />
        <ErrorNotice error={change.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onDone}>
            {w.cancel}
          </Button>
          <Button type="submit" loading={change.isPending}>
            {w.passwordSave}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
