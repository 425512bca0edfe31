/** The login page. If the service has no account yet, it leads to the setup page instead. */
import { Redirect, useSearch } from 'wouter'
import { useSetup } from '../../api/setup.ts'
import { PAGES } from '../../state/addresses.ts'
import { returnAddress } from '../../state/return-address.ts'
import { startSession } from '../../state/session.ts'
import { SignInLayout } from '../../ui/native/sign-in-layout.tsx'
import { SignIn } from './sign-in.tsx'

export default function LoginPage() {
  const setup = useSetup()
  const search = useSearch()
  if (setup?.offen) return <Redirect to={PAGES.setup} replace />
  return (
    <SignIn
      onSignedIn={userName => startSession(userName, returnAddress(search))}
      renderFrame={({ title, description, children }) => (
        <SignInLayout title={title} description={description}>
          {children}
        </SignInLayout>
      )}
    />
  )
}
