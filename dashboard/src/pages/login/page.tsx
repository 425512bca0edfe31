/** Signing in. While the service has no account yet, the set-up comes instead. */
import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Redirect, useLocation, useSearch } from 'wouter'
import { post } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { useGet } from '../../api/use-get.ts'
import { Entrance } from '../../frame/entrance.tsx'
import { returnAddress } from '../../frame/return-address.ts'
import { useCountdown } from '../../hooks/use-countdown.ts'
import { useWords } from '../../language/language.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { words } from './words.ts'

export default function LoginPage() {
  const w = useWords(words)
  const { data: setup } = useGet('einrichtung')
  if (setup?.offen) return <Redirect to="/einrichtung" replace />
  return (
    <Entrance title={w.title}>
      <LoginForm />
    </Entrance>
  )
}

function LoginForm() {
  const w = useWords(words)
  const [benutzer, setName] = useState('')
  const [passwort, setPassword] = useState('')
  const [lockedUntil, setLockedUntil] = useState<number | null>(null)
  const locked = useCountdown(lockedUntil)
  const [, navigate] = useLocation()
  const search = useSearch()
  const queries = useQueryClient()
  const login = useMutation({
    mutationFn: () => post('login', { body: { benutzer, passwort } }),
    onSuccess() {
      // What a stranger was told is not what the one who signed in is told.
      queries.clear()
      navigate(returnAddress(search), { replace: true })
    },
    onError(error) {
      if (error instanceof ApiError && error.retryAfter !== null) {
        setLockedUntil(Date.now() + error.retryAfter * 1000)
      }
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (locked === 0) login.mutate()
  }
  const wasLocked = login.error instanceof ApiError && login.error.status === 429
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextInput
          label={w.name}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          value={benutzer}
          onChange={event => setName(event.currentTarget.value)}
        />
        <PasswordInput
          label={w.password}
          autoComplete="current-password"
          value={passwort}
          onChange={event => setPassword(event.currentTarget.value)}
        />
        {wasLocked ? (
          <Alert role="alert" color={locked > 0 ? 'red' : 'gray'} icon={<IconLock aria-hidden />}>
            {locked > 0 ? w.locked(locked) : w.unlocked}
          </Alert>
        ) : (
          <ErrorNotice error={login.error} />
        )}
        <Button type="submit" fullWidth loading={login.isPending} disabled={locked > 0}>
          {w.submit}
        </Button>
      </Stack>
    </form>
  )
}
