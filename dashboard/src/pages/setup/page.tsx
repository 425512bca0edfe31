/** The first account, with the code from the log. Once there is one, the login comes instead. */
import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Redirect, useLocation } from 'wouter'
import { PASSWORD_MIN } from '../../../../src/contract/limits.ts'
import { post } from '../../api/client.ts'
import { useGet } from '../../api/use-get.ts'
import { Entrance } from '../../frame/entrance.tsx'
import { useWords } from '../../language/language.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
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
  const [code, setCode] = useState('')
  const [benutzer, setName] = useState('admin')
  const [passwort, setPassword] = useState('')
  const [tried, setTried] = useState(false)
  const [, navigate] = useLocation()
  const queries = useQueryClient()
  const create = useMutation({
    mutationFn: () => post('einrichtung', { body: { code: code.trim(), benutzer, passwort } }),
    onSuccess() {
      // The answer „not set up yet“ among them.
      queries.clear()
      navigate('/', { replace: true })
    },
  })
  const short = [...passwort].length < PASSWORD_MIN
  const blank = (value: string) => tried && value.trim() === '' && w.missing
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (code.trim() !== '' && benutzer.trim() !== '' && !short) create.mutate()
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextInput
          label={w.code}
          placeholder="XXXX-XXXX-XXXX"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          autoFocus
          error={blank(code)}
          value={code}
          onChange={event => setCode(event.currentTarget.value)}
        />
        <TextInput
          label={w.name}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          error={blank(benutzer)}
          value={benutzer}
          onChange={event => setName(event.currentTarget.value)}
        />
        <PasswordInput
          label={w.password}
          description={w.passwordRule(PASSWORD_MIN)}
          autoComplete="new-password"
          error={tried && short && w.passwordRule(PASSWORD_MIN)}
          value={passwort}
          onChange={event => setPassword(event.currentTarget.value)}
        />
        <ErrorNotice error={create.error} />
        <Button type="submit" fullWidth loading={create.isPending}>
          {w.submit}
        </Button>
      </Stack>
    </form>
  )
}
