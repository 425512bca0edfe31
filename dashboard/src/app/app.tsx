/**
 * The dashboard for people who are signed in: routing, session check, and the page that sets up a missing
 * second factor.
 */

import { Button } from '@mantine/core'
import { IconFileSearch, IconLock } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import {
  type ComponentType,
  Fragment,
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useLayoutEffect,
  useState,
} from 'react'
import { Link, Route, Switch } from 'wouter'
import type { SessionAnswer } from '../../../src/contract/accounts/session.ts'
import { ApiError } from '../api/error.ts'
import { EventsProvider } from '../api/events.tsx'
import { useGet } from '../api/use-get.ts'
import { Frame } from '../frame/frame.tsx'
import { ROUTES } from '../frame/pages.ts'
import { words } from '../frame/words.ts'
import { useWords } from '../language/language.tsx'
import { PAGES } from '../state/addresses.ts'
import { useObservable } from '../state/observable.ts'
import { hasMinimumRole, rights } from '../state/rights.ts'
import {
  adoptOwner,
  isSessionEnded,
  onSessionRenewed,
  resumeSession,
  sessionOwner,
} from '../state/session.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { useShortcutListener } from '../ui/keys/use-shortcuts.ts'
import { PageBoundary } from '../ui/page-boundary.tsx'
import { RemoveShell } from '../ui/shell.ts'
import { RowsSkeleton } from '../ui/skeletons.tsx'
import { Providers } from './providers.tsx'

export function App() {
  useShortcutListener()
  return (
    <Providers>
      <SessionGate>
        <EventsProvider>
          <Frame>
            <Pages />
          </Frame>
        </EventsProvider>
      </SessionGate>
    </Providers>
  )
}

const SignInDialog = lazy(() => import('../pages/login/dialog.tsx'))
const FactorGate = lazy(() => import('../pages/account/factors/gate.tsx'))

const routeElement = (
  { path, Component }: { path: string; Component: ComponentType },
  fallback: ReactNode,
) => (
  <Route key={path} path={path}>
    <PageBoundary>
      <Suspense fallback={fallback}>
        <Component />
      </Suspense>
    </PageBoundary>
  </Route>
)

function Pages() {
  return (
    <Switch>
      {ROUTES.map(route =>
        hasMinimumRole(route.role)
          ? routeElement(route, <RowsSkeleton />)
          : routeElement({ ...route, Component: NotAllowedPage }, null),
      )}
      <Route>
        <NotFoundPage />
      </Route>
    </Switch>
  )
}

const rightsOf = ({ rolle, ordner }: SessionAnswer) => ({ role: rolle, folders: ordner })

/**
 * Requests the session (`ich`), and shows the children if a session exists and no second factor is missing. A
 * missing second factor is set up first. Without a session, the answer is a 401, after which `api/queries.ts`
 * shows the login page. If the session ends later, the sign-in dialog is shown over the children.
 */
function SessionGate({ children }: { children: ReactNode }) {
  const { data, dataUpdatedAt, error, refetch } = useGet('ich')
  const queryClient = useQueryClient()
  const accountName = data?.benutzer
  const isWindowOwner = useObservable(sessionOwner) === accountName
  const currentRights = useObservable(rights)
  const hasSessionEnded = useObservable(isSessionEnded)
  const [isSettingUpFactor, setSettingUpFactor] = useState(false)
  useLayoutEffect(() => {
    if (!data) return
    rights.set(rightsOf(data))
    adoptOwner(data.benutzer)
  }, [data])
  useEffect(
    () =>
      onSessionRenewed(
        () => void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'ich' }),
      ),
    [queryClient],
  )
  // Runs after the effects of the children, so that a page that is no longer allowed has stopped its
  // requests. The dependency is the time of the answer, because an unchanged answer is the same object.
  useEffect(() => {
    if (dataUpdatedAt > 0) resumeSession()
  }, [dataUpdatedAt])
  if (data?.zweiter_faktor_fehlt || isSettingUpFactor)
    return (
      isWindowOwner && (
        <Suspense fallback={null}>
          <RemoveShell />
          <FactorGate onBusy={setSettingUpFactor} />
        </Suspense>
      )
    )
  if (data) {
    const [shownRightsJson, newRightsJson] = [currentRights, rightsOf(data)].map(accountRights =>
      JSON.stringify(accountRights),
    )
    // Until this answer has set `sessionOwner` and `rights`, nothing is shown. A change of rights remounts
    // the children (`key`).
    if (!isWindowOwner || shownRightsJson !== newRightsJson) return null
    return (
      <>
        <RemoveShell />
        <Fragment key={shownRightsJson}>{children}</Fragment>
        {hasSessionEnded && (
          <Suspense fallback={null}>
            <SignInDialog />
          </Suspense>
        )}
      </>
    )
  }
  if (error && !(error instanceof ApiError && error.status === 401)) {
    return (
      <>
        <RemoveShell />
        <ErrorNotice error={error} onRetry={refetch} />
      </>
    )
  }
  return null
}

/** A page that this account may not open, for example behind an old link. */
function NotAllowedPage() {
  const w = useWords(words)
  return (
    <EmptyState headingLevel={1} icon={IconLock} title={w.notAllowed} description={w.notAllowedHint}>
      <Button component={Link} href={PAGES.files}>
        {w.toFiles}
      </Button>
    </EmptyState>
  )
}

function NotFoundPage() {
  const w = useWords(words)
  return (
    <EmptyState headingLevel={1} icon={IconFileSearch} title={w.notFound} description={w.notFoundHint}>
      <Button component={Link} href={PAGES.files}>
        {w.toFiles}
      </Button>
    </EmptyState>
  )
}
