/** The second step of signing in: a code of the authenticator app, or an emergency code. */
import { useState } from 'react'
import { post } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { useWords } from '../../language/language.tsx'
import { Form, useTextForm } from '../../ui/forms/form.tsx'
import { TextField } from '../../ui/native/field.tsx'
import { Stack, TextButton } from '../../ui/native/layout.tsx'
import { useSignInLock } from './use-lock.tsx'
import { words } from './words.ts'

interface CodeFormProps {
  stepId: string
  onSignedIn(userName: string): void
  onBack(): void
}

export function CodeForm({ stepId, onSignedIn, onBack }: CodeFormProps) {
  const w = useWords(words)
  const lock = useSignInLock()
  const [usesEmergencyCode, setUsesEmergencyCode] = useState(false)
  const { field, form, submission } = useTextForm({
    initialValues: { code: '' },
    check: ({ code }) => ({ code: code.trim() === '' && w.codeMissing }),
    send: ({ code }) => lock.attempt(() => post('login/zweiter-faktor', { body: { schritt: stepId, code } })),
    onSent: ({ benutzer }) => onSignedIn(benutzer),
  })
  const { error, notice } = lock.errorOrNotice(submission.error)
  const isStepExpired = error instanceof ApiError && error.code === 'login-step-over'
  const label = usesEmergencyCode ? w.emergencyCode : w.code
  return (
    <Stack>
      <Form
        {...form}
        submit={isStepExpired ? w.startAgain : w.title}
        error={error}
        disabled={lock.isLocked}
        onSubmit={() => (isStepExpired ? onBack() : !lock.isLocked && form.onSubmit())}
      >
        <TextField
          // The key makes a new input for each kind of code, so that autofill and on-screen keyboards adapt
          // to the kind.
          key={label}
          label={label}
          placeholder={usesEmergencyCode ? 'XXXX-XXXX-XXXX-XXXX' : '000000'}
          inputMode={usesEmergencyCode ? 'text' : 'numeric'}
          autoComplete={usesEmergencyCode ? 'off' : 'one-time-code'}
          spellCheck={false}
          autoFocus
          {...field('code')}
        />
        {notice}
      </Form>
      <TextButton onClick={() => setUsesEmergencyCode(!usesEmergencyCode)}>
        {usesEmergencyCode ? w.withApp : w.withEmergencyCode}
      </TextButton>
      <TextButton onClick={onBack}>{w.otherAccount}</TextButton>
    </Stack>
  )
}
