/**
 * The page that creates the first account, with the set-up code from the terminal or the log of the service.
 * Once there is an account, it leads to the login page instead.
 */
import { Redirect } from 'wouter'
import { post } from '../../api/client.ts'
import { useSetup } from '../../api/setup.ts'
import { useWords } from '../../language/language.tsx'
import { PAGES } from '../../state/addresses.ts'
import { startSession } from '../../state/session.ts'
import { useCodeOfLink } from '../../state/use-code-of-link.ts'
import { NewPasswordField, UserNameField, useAccountRules } from '../../ui/forms/account-fields.tsx'
import { Form, useTextForm } from '../../ui/forms/form.tsx'
import { TextField } from '../../ui/native/field.tsx'
import { SignInLayout } from '../../ui/native/sign-in-layout.tsx'
import { words } from './words.ts'

export default function SetupPage() {
  const w = useWords(words)
  const setup = useSetup()
  const givenCode = useCodeOfLink()
  if (setup && !setup.offen) return <Redirect to={PAGES.login} replace />
  return (
    <SignInLayout title={w.title} description={w.description}>
      <SetupForm key={givenCode} givenCode={givenCode} />
    </SignInLayout>
  )
}

function SetupForm({ givenCode }: { givenCode: string }) {
  const w = useWords(words)
  const { checkFilled, checkPassword } = useAccountRules()
  const { field, form } = useTextForm({
    initialValues: { code: givenCode, benutzer: 'admin', passwort: '' },
    check: ({ code, benutzer, passwort }) => ({
      code: checkFilled(code),
      benutzer: checkFilled(benutzer),
      passwort: checkPassword(passwort),
    }),
    send: values => post('einrichtung', { body: { ...values, code: values.code.trim() } }),
    onSent: ({ benutzer }) => startSession(benutzer, PAGES.overview),
  })
  return (
    <Form {...form} submit={w.submit}>
      <TextField
        label={w.code}
        placeholder="XXXX-XXXX-XXXX"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        autoFocus={givenCode === ''}
        {...field('code')}
      />
      <UserNameField autoComplete="username" autoFocus={givenCode !== ''} {...field('benutzer')} />
      <NewPasswordField {...field('passwort')} />
    </Form>
  )
}
