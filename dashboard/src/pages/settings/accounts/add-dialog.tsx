/** Another account. */
import { Button, Group, Modal, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { NAME_MAX, PASSWORD_MIN } from '../../../../../src/contract/limits.ts'
import { post } from '../../../api/client.ts'
import { useWords } from '../../../language/language.tsx'
import { ErrorNotice } from '../../../parts/error-notice.tsx'
import { useNotify } from '../../../parts/notify.tsx'
import { words } from './words.ts'

export function AddDialog({ opened, onClose }: { opened: boolean; onClose(): void }) {
  const w = useWords(words)
  return (
    <Modal opened={opened} onClose={onClose} title={w.add} closeButtonProps={{ 'aria-label': w.close }}>
      <AddForm onDone={onClose} />
    </Modal>
  )
}

function AddForm({ onDone }: { onDone(): void }) {
  const w = useWords(words)
  const notify = useNotify()
  const queries = useQueryClient()
  const [benutzer, setName] = useState('')
  const [passwort, setPassword] = useState('')
  const [tried, setTried] = useState(false)
  const isNameless = benutzer.trim() === ''
  const isShort = [...passwort].length < PASSWORD_MIN
  const add = useMutation({
    mutationFn: () => post('benutzer', { body: { benutzer, passwort } }),
    onSuccess(account) {
      notify.done(w.added(account.benutzer))
      void queries.invalidateQueries({ queryKey: ['benutzer'] })
      void queries.invalidateQueries({ queryKey: ['verwaltung'] })
      onDone()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!isNameless && !isShort) add.mutate()
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextInput
          label={w.name}
          autoComplete="off"
          maxLength={NAME_MAX}
          data-autofocus
          error={tried && isNameless ? w.nameMissing : null}
          value={benutzer}
          onChange={event => setName(event.currentTarget.value)}
        />
        <PasswordInput
          label={w.password}
          description={w.passwordRule(PASSWORD_MIN)}
          autoComplete="new-password"
          error={tried && isShort ? w.passwordRule(PASSWORD_MIN) : null}
          value={passwort}
          onChange={event => setPassword(event.currentTarget.value)}
        />
        <ErrorNotice error={add.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onDone}>
            {w.cancel}
          </Button>
          <Button type="submit" loading={add.isPending}>
            {w.add}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
