/** The page that an invitation opens: the invited person chooses a name and a password, and is signed in. */
import { USER_NAME_MAX_LENGTH } from '../../../../src/contract/values/input-limits.ts'
import { post } from '../../api/client.ts'
import { useWords } from '../../language/language.tsx'
import { PAGES } from '../../state/addresses.ts'
import { startSession } from '../../state/session.ts'
import { useCodeOfLink } from '../../state/use-code-of-link.ts'
import { NewPasswordField, UserNameField, useAccountRules } from '../../ui/forms/account-fields.tsx'
import { Form, useTextForm } from '../../ui/forms/form.tsx'
import { TextField } from '../../ui/native/field.tsx'
import { SignInLayout } from '../../ui/native/sign-in-layout.tsx'
import { words } from './words.ts'

export default function InvitationPage() {
  const w = useWords(words)
  const codeFromLink = useCodeOfLink()
  return (
    <SignInLayout title={w.title} description={w.description}>
      <InvitationForm key={codeFromLink} givenCode={codeFromLink} />
    </SignInLayout>
  )
}

function InvitationForm({ givenCode }: { givenCode: string }) {
  const w = useWords(words)
  const { checkFilled, checkPassword } = useAccountRules()
  const { field, form } = useTextForm({
    initialValues: { code: givenCode, benutzer: '', passwort: '' },
    check: ({ code, benutzer, passwort }) => ({
      code: checkFilled(code),
      benutzer: checkFilled(benutzer),
      passwort: checkPassword(passwort),
    }),
    send: values => post('einladung', { body: { ...values, code: values.code.trim() } }),
    onSent: ({ benutzer }) => startSession(benutzer, PAGES.overview),
  })
  return (
    <Form {...form} submit={w.submit}>
      {givenCode === '' && (
        <TextField label={w.code} autoComplete="off" spellCheck={false} autoFocus {...field('code')} />
      )}
      <UserNameField
        autoComplete="username"
        maxLength={USER_NAME_MAX_LENGTH}
        autoFocus={givenCode !== ''}
        {...field('benutzer')}
      />
      <NewPasswordField {...field('passwort')} />
    </Form>
  )
}
