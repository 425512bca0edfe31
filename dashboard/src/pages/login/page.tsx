/** Signing in. A service without an account shows the set-up instead. */

import { Alert, PasswordInput } from '@mantine/core'
import { IconLock, IconLogout } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Redirect, useSearch } from 'wouter'
import { post } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { useGet } from '../../api/use-get.ts'
import { Entrance } from '../../frame/entrance.tsx'
import { useWords } from '../../language/language.tsx'
import { PAGES } from '../../state/addresses.ts'
import { useObservable } from '../../state/observable.ts'
import { hasEnded, returnAddress } from '../../state/return-address.ts'
import { begin } from '../../state/session.ts'
import { UserNameField } from '../../ui/forms/account-fields.tsx'
import { Form, useTextForm } from '../../ui/forms/form.tsx'
import { useCountdown } from '../../ui/use-countdown.ts'
import { accountWords } from '../../ui/words.ts'
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
      // Answers from before signing in are no longer valid.
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
      submit={w.title}
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
          {locked > 0 ? w.locked(w.seconds(locked, locked)) : w.unlocked}
        </Alert>
      )}
    </Form>
  )
}
