/** Signing in. A service without an account shows the set-up instead. */

import { Alert, Divider, Stack } from '@mantine/core'
import { IconLogout } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Redirect, useSearch } from 'wouter'
import { useGet } from '../../api/use-get.ts'
import { Entrance } from '../../frame/entrance.tsx'
import { useWords } from '../../language/language.tsx'
import { PAGES } from '../../state/addresses.ts'
import { useObservable } from '../../state/observable.ts'
import { hasEnded, returnAddress } from '../../state/return-address.ts'
import { begin } from '../../state/session.ts'
import { uploadsState } from '../../uploads/uploads.ts'
import { CodeForm } from './code-form.tsx'
import { PasskeySignIn } from './passkey-sign-in.tsx'
import { PasswordForm } from './password-form.tsx'
import { keepStep, pendingStep } from './pending-step.ts'
import { ProviderButtons } from './providers.tsx'
import { words } from './words.ts'

export default function LoginPage() {
  const w = useWords(words)
  const { data: setup } = useGet('einrichtung')
  const [step, setStep] = useState(pendingStep)
  const search = useSearch()
  const queries = useQueryClient()
  if (setup?.offen) return <Redirect to={PAGES.setup} replace />
  const toStep = (next: string | null) => {
    keepStep(next)
    setStep(next)
  }
  const onSignedIn = (person: string) => {
    keepStep(null)
    // Answers from before signing in are no longer valid.
    queries.clear()
    begin(person, returnAddress(search))
  }
  if (step !== null)
    return (
      <Entrance title={w.codeTitle} description={w.codeHint}>
        <CodeForm step={step} onSignedIn={onSignedIn} onBack={() => toStep(null)} />
      </Entrance>
    )
  return (
    <Entrance title={w.title}>
      <Stack gap="md">
        <EndedNotice />
        <PasswordForm onSignedIn={onSignedIn} onStep={toStep} />
        {setup?.anmeldung.passkey && (
          <>
            <Divider label={w.or} />
            <PasskeySignIn onSignedIn={onSignedIn} />
          </>
        )}
        <ProviderButtons />
      </Stack>
    </Entrance>
  )
}

function EndedNotice() {
  const w = useWords(words)
  const { active } = useObservable(uploadsState)
  if (!hasEnded(useSearch())) return null
  return (
    <Alert color="gray" icon={<IconLogout aria-hidden />}>
      {w.ended} {active > 0 && w.uploadsWait}
    </Alert>
  )
}
