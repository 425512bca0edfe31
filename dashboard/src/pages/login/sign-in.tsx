/** All ways to sign in, in up to two steps: on the login page, or in a dialog after a session has ended. */
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useSetup } from '../../api/setup.ts'
import { useWords } from '../../language/language.tsx'
import { Divider, Stack } from '../../ui/native/layout.tsx'
import { CodeForm } from './code-form.tsx'
import { PasswordForm } from './password-form.tsx'
import { readPendingStep, storePendingStep } from './pending-step.ts'
import { ProviderButtons } from './providers.tsx'
import { words } from './words.ts'

/** Loaded only if passkeys are possible at the address of the service. */
const PasskeySignIn = lazy(() => import('./passkey-sign-in.tsx'))

interface SignInProps {
  initialUserName?: string
  /**
   * Whether signing in at a provider opens another tab, as it does in the dialog: leaving the page below the
   * dialog would lose what was typed there.
   */
  opensNewTab?: boolean
  onSignedIn(userName: string): void
  /** Renders the forms (`children`) within a page or a dialog. */
  renderFrame(content: { title: string; description: string | null; children: ReactNode }): ReactNode
}

export function SignIn({ initialUserName = '', opensNewTab = false, onSignedIn, renderFrame }: SignInProps) {
  const w = useWords(words)
  const setup = useSetup()
  const [stepId, setStepId] = useState(readPendingStep)
  const changeStep = (newStepId: string | null) => {
    storePendingStep(newStepId)
    setStepId(newStepId)
  }
  const finishSignIn = (userName: string) => {
    storePendingStep(null)
    onSignedIn(userName)
  }
  if (stepId !== null)
    return renderFrame({
      title: w.codeTitle,
      description: w.codeHint,
      children: <CodeForm stepId={stepId} onSignedIn={finishSignIn} onBack={() => changeStep(null)} />,
    })
  return renderFrame({
    title: w.title,
    description: null,
    children: (
      <Stack>
        <PasswordForm initialUserName={initialUserName} onSignedIn={finishSignIn} onSecondStep={changeStep} />
        {setup?.anmeldung.passkey && (
          <>
            <Divider label={w.or} />
            <Suspense fallback={null}>
              <PasskeySignIn onSignedIn={finishSignIn} />
            </Suspense>
          </>
        )}
        <ProviderButtons opensNewTab={opensNewTab} />
      </Stack>
    ),
  })
}
