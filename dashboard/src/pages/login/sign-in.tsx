/** All ways to sign in, in up to two steps: on the login page, or in a dialog after a session has ended. */
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useSetup } from '../../api/setup.ts'
import { useWords } from '../../language/language.tsx'
import { Divider, Stack } from '../../ui/native/layout.tsx'
import { CodeForm } from './code-form.tsx'
import { PasswordForm } from './password-form.tsx'
import { pendingStep, storePendingStep } from './pending-step.ts'
import { ProviderButtons } from './providers.tsx'
import { words } from './words.ts'

/** Loaded only if passkeys are possible at the address of the service. */
const PasskeySignIn = lazy(() => import('./passkey-sign-in.tsx'))

interface SignInProps {
  /** The initial user name of the form. */
  person?: string
  /**
   * Whether the sign-in at a provider opens in another tab, because leaving the page would lose what was
   * typed there.
   */
  keepsPage?: boolean
  onSignedIn(person: string): void
  /** Renders the forms (`children`) within a page or a dialog. */
  frame(parts: { title: string; description: string | null; children: ReactNode }): ReactNode
}

export function SignIn({ person = '', keepsPage = false, onSignedIn, frame }: SignInProps) {
  const w = useWords(words)
  const setup = useSetup()
  const [step, setStep] = useState(pendingStep)
  const changeStep = (next: string | null) => {
    storePendingStep(next)
    setStep(next)
  }
  const finishSignIn = (name: string) => {
    storePendingStep(null)
    onSignedIn(name)
  }
  if (step !== null)
    return frame({
      title: w.codeTitle,
      description: w.codeHint,
      children: <CodeForm step={step} onSignedIn={finishSignIn} onBack={() => changeStep(null)} />,
    })
  return frame({
    title: w.title,
    description: null,
    children: (
      <Stack>
        <PasswordForm person={person} onSignedIn={finishSignIn} onStep={changeStep} />
        {setup?.anmeldung.passkey && (
          <>
            <Divider label={w.or} />
            <Suspense fallback={null}>
              <PasskeySignIn onSignedIn={finishSignIn} />
            </Suspense>
          </>
        )}
        <ProviderButtons keepsPage={keepsPage} />
      </Stack>
    ),
  })
}
