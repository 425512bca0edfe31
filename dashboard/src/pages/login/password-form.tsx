/** The form for name and password, the first step of signing in. */
import { post } from '../../api/client.ts'
import { useWords } from '../../language/language.tsx'
import { UserNameField } from '../../ui/forms/account-fields.tsx'
import { Form, useTextForm } from '../../ui/forms/form.tsx'
import { PasswordField } from '../../ui/native/field.tsx'
import { accountWords } from '../../ui/words.ts'
import { useSignInLock } from './use-lock.tsx'
import { words } from './words.ts'

interface PasswordFormProps {
  /** The initial user name of the form. */
  person: string
  onSignedIn(person: string): void
  /** Called if a code is needed too; `step` identifies the second step. */
  onStep(step: string): void
}

export function PasswordForm({ person, onSignedIn, onStep }: PasswordFormProps) {
  const w = useWords(words)
  const { password } = useWords(accountWords)
  const lock = useSignInLock()
  const { field, form, sending } = useTextForm({
    start: { benutzer: person, passwort: '' },
    send: body => lock.attempt(() => post('login', { body })),
    onSent: answer => ('schritt' in answer ? onStep(answer.schritt) : onSignedIn(answer.benutzer)),
  })
  const { error, notice } = lock.shown(sending.error)
  return (
    <Form
      {...form}
      submit={w.title}
      error={error}
      disabled={lock.isLocked}
      onSubmit={() => !lock.isLocked && form.onSubmit()}
    >
      {/* With `webauthn`, the browser suggests passkeys in this field. */}
      <UserNameField autoComplete="username webauthn" autoFocus={person === ''} {...field('benutzer')} />
      <PasswordField
        label={password}
        autoComplete="current-password"
        autoFocus={person !== ''}
        // In a dialog, the focus trap sets the focus, to the field with this attribute.
        data-autofocus={person !== '' || undefined}
        {...field('passwort')}
      />
      {notice}
    </Form>
  )
}
