/**
 * The entry of the pages for people who are not signed in. They have a document of their own, so that
 * nothing of the gallery is fetched before there is somebody to see it (`state/session.ts` leads from one
 * document to the other).
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
