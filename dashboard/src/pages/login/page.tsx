/** Signing in. A service without an account shows the set-up instead. */
import { Redirect, useSearch } from 'wouter'
import { useGet } from '../../api/use-get.ts'
import { Entrance } from '../../frame/entrance.tsx'
import { PAGES } from '../../state/addresses.ts'
import { returnAddress } from '../../state/return-address.ts'
import { begin } from '../../state/session.ts'
import { SignIn } from './sign-in.tsx'

export default function LoginPage() {
  const { data: setup } = useGet('einrichtung')
  const search = useSearch()
  if (setup?.offen) return <Redirect to={PAGES.setup} replace />
  return (
    <SignIn
      onSignedIn={person => begin(person, returnAddress(search))}
      frame={({ title, description, children }) => (
        <Entrance title={title} description={description}>
          {children}
        </Entrance>
      )}
    />
  )
}
