/**
 * The entry of the pages for people who are not signed in: login, set-up and invitations. They have a
 * document of their own, so that nothing of the gallery is fetched before somebody has signed in.
 * `state/session.ts` switches between the two documents.
 */
import { createRoot } from 'react-dom/client'
import '@mantine/core/styles.css'
import './theme.css'
import { Route, Switch } from 'wouter'
import InvitationPage from '../pages/invitation/page.tsx'
import LoginPage from '../pages/login/page.tsx'
import SetupPage from '../pages/setup/page.tsx'
import { PAGES } from '../state/addresses.ts'
import { watchOtherWindows } from '../state/session.ts'
import { Providers } from './providers.tsx'

watchOtherWindows()
createRoot(document.getElementById('root')!).render(
  <Providers>
    <Switch>
      <Route path={PAGES.setup} component={SetupPage} />
      <Route path={PAGES.invitation} component={InvitationPage} />
      <Route component={LoginPage} />
    </Switch>
  </Providers>,
)
