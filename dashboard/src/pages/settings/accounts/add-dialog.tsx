/** Making another account. */
import { NAME_MAX } from '../../../../../src/contract/limits.ts'
import { post } from '../../../api/client.ts'
import { useRefresh } from '../../../api/use-refresh.ts'
import { useWords } from '../../../language/language.tsx'
import { NewPasswordField, UserNameField, useAccountRules } from '../../../parts/account-fields.tsx'
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
  const refresh = useRefresh()
  const { filled, password } = useAccountRules()
  const { field, form } = useTextForm({
    start: { benutzer: '', passwort: '' },
    check: ({ benutzer, passwort }) => ({ benutzer: filled(benutzer), passwort: password(passwort) }),
    send: body => post('benutzer', { body }),
    onSent({ benutzer }) {
      notify.done(w.added(benutzer))
      void refresh('benutzer', 'verwaltung')
      onDone()
    },
  })
  return (
    <Form {...form} submit={w.add} onCancel={onDone}>
      <UserNameField autoComplete="off" maxLength={NAME_MAX} data-autofocus {...field('benutzer')} />
      <NewPasswordField {...field('passwort')} />
    </Form>
  )
}
