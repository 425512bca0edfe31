/** The first account, with the code from the log. Once there is one, the login comes instead. */
import { PasswordInput, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Redirect, useLocation } from 'wouter'
import { PASSWORD_MIN } from '../../../../src/contract/limits.ts'
import { post } from '../../api/client.ts'
import { useGet } from '../../api/use-get.ts'
import { Entrance } from '../../frame/entrance.tsx'
import { useWords } from '../../language/language.tsx'
import { Form, useTextForm } from '../../parts/form.tsx'
import { words } from './words.ts'

export default function SetupPage() {
  const w = useWords(words)
  const { data: setup } = useGet('einrichtung')
  if (setup && !setup.offen) return <Redirect to="/anmelden" replace />
  return (
    <Entrance title={w.title} description={w.description}>
      <SetupForm />
    </Entrance>
  )
}

function SetupForm() {
  const w = useWords(words)
  const [, navigate] = useLocation()
  const queries = useQueryClient()
  const { field, form } = useTextForm({
    start: { code: '', benutzer: 'admin', passwort: '' },
    check: ({ code, benutzer, passwort }) => ({
      code: code.trim() === '' && w.missing,
      benutzer: benutzer.trim() === '' && w.missing,
      passwort: [...passwort].length < PASSWORD_MIN && w.passwordRule(PASSWORD_MIN),
    }),
    send: values => post('einrichtung', { body: { ...values, code: values.code.trim() } }),
    onSent() {
      // The answer that nothing is set up yet is among what is forgotten.
      queries.clear()
      navigate('/', { replace: true })
    },
  })
  return (
    <Form {...form} submit={w.submit}>
      <TextInput
        label={w.code}
        placeholder="XXXX-XXXX-XXXX"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        autoFocus
        {...field('code')}
      />
      <TextInput
        label={w.name}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
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
