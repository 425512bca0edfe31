/** Signing in. While the service has no account yet, the set-up comes instead. */

import { Alert, PasswordInput } from '@mantine/core'
import { IconLock, IconLogout } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Redirect, useSearch } from 'wouter'
import { PAGES } from '../../addresses.ts'
import { post } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { useGet } from '../../api/use-get.ts'
import { Entrance } from '../../frame/entrance.tsx'
import { hasEnded, returnAddress } from '../../frame/return-address.ts'
import { useObservable } from '../../hooks/observable.ts'
import { useCountdown } from '../../hooks/use-countdown.ts'
import { useWords } from '../../language/language.tsx'
import { UserNameField } from '../../parts/account-fields.tsx'
import { Form, useTextForm } from '../../parts/form.tsx'
import { accountWords } from '../../parts/words.ts'
import { begin } from '../../session/session.ts'
import { uploadsState } from '../../uploads/uploads.ts'
import { words } from './words.ts'

export default function LoginPage() {
  const w = useWords(words)
  const { data: setup } = useGet('einrichtung')
  if (setup?.offen) return <Redirect to={PAGES.setup} replace />
  return (
    <Entrance title={w.title}>
      <LoginForm />
    </Entrance>
  )
}

function LoginForm() {
  const w = useWords(words)
  const { password } = useWords(accountWords)
  const [lockedUntil, setLockedUntil] = useState<number | null>(null)
  const locked = useCountdown(lockedUntil)
  const search = useSearch()
  const queries = useQueryClient()
  const { field, form, sending } = useTextForm({
    start: { benutzer: '', passwort: '' },
    async send(body) {
      try {
        return await post('login', { body })
      } catch (error) {
        const wait = error instanceof ApiError ? error.retryAfter : null
        if (wait !== null) setLockedUntil(performance.now() + wait)
        throw error
      }
    },
    onSent({ benutzer }) {
      // The answers a stranger got are not those of the person who signed in.
      queries.clear()
      begin(benutzer, returnAddress(search))
    },
  })
  const { error } = sending
  const { active } = useObservable(uploadsState)
  const wasLocked = error instanceof ApiError && error.status === 429
  return (
    <Form
      {...form}
      submit={w.submit}
      error={wasLocked ? null : error}
      disabled={locked > 0}
      onSubmit={() => locked === 0 && form.onSubmit()}
    >
      {hasEnded(search) && !error && (
        <Alert color="gray" icon={<IconLogout aria-hidden />}>
          {w.ended} {active > 0 && w.uploadsWait}
        </Alert>
      )}
      <UserNameField autoComplete="username" autoFocus {...field('benutzer')} />
      <PasswordInput label={password} autoComplete="current-password" {...field('passwort')} />
      {wasLocked && (
        <Alert role="alert" color={locked > 0 ? 'red' : 'gray'} icon={<IconLock aria-hidden />}>
          {locked > 0 ? w.locked(locked) : w.unlocked}
        </Alert>
      )}
    </Form>
  )
}
