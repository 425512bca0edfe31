/** Making another account. */
import { PasswordInput, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { NAME_MAX, PASSWORD_MIN } from '../../../../../src/contract/limits.ts'
import { post } from '../../../api/client.ts'
import { useWords } from '../../../language/language.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { Form, useTextForm } from '../../../parts/form.tsx'
import { useNotify } from '../../../parts/notify.tsx'
import { words } from './words.ts'

export function AddDialog({ opened, onClose }: { opened: boolean; onClose(): void }) {
  const w = useWords(words)
  return (
    <Dialog opened={opened} onClose={onClose} title={w.add}>
      <AddForm onDone={onClose} />
    </Dialog>
  )
}

function AddForm({ onDone }: { onDone(): void }) {
  const w = useWords(words)
  const notify = useNotify()
  const queries = useQueryClient()
  const { field, form } = useTextForm({
    start: { benutzer: '', passwort: '' },
    check: ({ benutzer, passwort }) => ({
      benutzer: benutzer.trim() === '' && w.nameMissing,
      passwort: [...passwort].length < PASSWORD_MIN && w.passwordRule(PASSWORD_MIN),
    }),
    send: body => post('benutzer', { body }),
    onSent({ benutzer }) {
      notify.done(w.added(benutzer))
      for (const name of ['benutzer', 'verwaltung']) void queries.invalidateQueries({ queryKey: [name] })
      onDone()
    },
  })
  return (
    <Form {...form} submit={w.add} onCancel={onDone}>
      <TextInput
        label={w.name}
        autoComplete="off"
        maxLength={NAME_MAX}
        data-autofocus
        {...field('benutzer')}
      />
      <PasswordInput
        label={w.password}
        description={w.passwordRule(PASSWORD_MIN)}
        autoComplete="new-password"
        {...field('passwort')}
      />
    </Form>
  )
}
