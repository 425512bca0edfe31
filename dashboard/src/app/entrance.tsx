/**
 * Entry point of the pages for people who are not signed in: login, set-up and invitations. They have a
 * document of their own (`entrance.html`), so that no code of the dashboard is fetched before somebody has
 * signed in; `state/session.ts` switches between the documents. To keep the script small, these pages load
 * neither the components of Mantine nor TanStack Query.
 */
import { createRoot } from 'react-dom/client'
import './theme.css'
import { Route, Switch } from 'wouter'
import { fetchSetup } from '../api/setup.ts'
import { ConnectionLine } from '../frame/connection-line.tsx'
import { LanguageProvider } from '../language/language.tsx'
import InvitationPage from '../pages/invitation/page.tsx'
import LoginPage from '../pages/login/page.tsx'
import SetupPage from '../pages/setup/page.tsx'
import { PAGES } from '../state/addresses.ts'
import { installSessionListeners } from '../state/session.ts'
import { followScheme } from './scheme.ts'

installSessionListeners()
followScheme()
fetchSetup()
createRoot(document.getElementById('root')!).render(
  <LanguageProvider>
    <ConnectionLine onRestored={fetchSetup} />
    <Switch>
      <Route path={PAGES.setup} component={SetupPage} />
      <Route path={PAGES.invitation} component={InvitationPage} />
      <Route component={LoginPage} />
    </Switch>
  </LanguageProvider>,
)
