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
  initialUserName: string
  onSignedIn(userName: string): void
  /** Called if a code is needed too; `stepId` identifies the second step. */
  onSecondStep(stepId: string): void
}

export function PasswordForm({ initialUserName, onSignedIn, onSecondStep }: PasswordFormProps) {
  const w = useWords(words)
  const { password } = useWords(accountWords)
  const lock = useSignInLock()
  const { field, form, submission } = useTextForm({
    initialValues: { benutzer: initialUserName, passwort: '' },
    send: body => lock.attempt(() => post('login', { body })),
    onSent: answer => ('schritt' in answer ? onSecondStep(answer.schritt) : onSignedIn(answer.benutzer)),
  })
  const { error, notice } = lock.errorOrNotice(submission.error)
  return (
    <Form
      {...form}
      submit={w.title}
      error={error}
      disabled={lock.isLocked}
      onSubmit={() => !lock.isLocked && form.onSubmit()}
    >
      {/* With `webauthn`, the browser suggests passkeys in this field. */}
      <UserNameField
        autoComplete="username webauthn"
        autoFocus={initialUserName === ''}
        {...field('benutzer')}
      />
      <PasswordField
        label={password}
        autoComplete="current-password"
        autoFocus={initialUserName !== ''}
        // In a dialog, the focus trap focuses the field with this attribute.
        data-autofocus={initialUserName !== '' || undefined}
        {...field('passwort')}
      />
      {notice}
    </Form>
  )
}
