/** The whole dashboard: look, language, data, and which page is shown at which address. */
import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { Route, Switch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { createQueries } from './api/queries.ts'
import { ConnectionLine } from './frame/connection-line.tsx'
import { Frame } from './frame/frame.tsx'
import { NotFound } from './frame/not-found.tsx'
import { PageBoundary } from './frame/page-boundary.tsx'
import { loginAddress } from './frame/return-address.ts'
import { SignedIn } from './frame/signed-in.tsx'
import { useShortcutListener } from './hooks/use-shortcuts.ts'
import { LanguageProvider } from './language/language.tsx'
import { EventsProvider } from './live/events.tsx'
import { INNER_ROUTES, OUTER_ROUTES } from './pages.ts'
import { RowsSkeleton } from './parts/skeletons.tsx'
import { cssVariables, theme } from './theme.ts'

const onSignedOut = () => {
  if (!OUTER_ROUTES.some(({ path }) => path === location.pathname))
    navigate(loginAddress(), { replace: true })
}

export function App() {
  const [queries] = useState(() => createQueries({ onSignedOut }))
  useShortcutListener()
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <LanguageProvider>
        <QueryClientProvider client={queries}>
          <ConnectionLine />
          <Notifications position="bottom-right" limit={4} />
          <Switch>
            {OUTER_ROUTES.map(({ path, Component }) => (
              <Route key={path} path={path}>
                <PageBoundary>
                  <Suspense fallback={null}>
                    <Component />
                  </Suspense>
                </PageBoundary>
              </Route>
            ))}
            <Route>
              <SignedIn>
                <EventsProvider>
                  <Frame>
                    <Pages />
                  </Frame>
                </EventsProvider>
              </SignedIn>
            </Route>
          </Switch>
        </QueryClientProvider>
      </LanguageProvider>
    </MantineProvider>
  )
}

function Pages() {
  return (
    <Switch>
      {INNER_ROUTES.map(({ path, Component }) => (
        <Route key={path} path={path}>
          <PageBoundary>
            <Suspense fallback={<RowsSkeleton />}>
              <Component />
            </Suspense>
          </PageBoundary>
        </Route>
      ))}
      <Route>
        <NotFound />
      </Route>
    </Switch>
  )
}
