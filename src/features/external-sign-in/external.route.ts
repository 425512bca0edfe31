/**
 * `/api/dash/login/extern/:anbieter`: redirects to the provider, handles the return (`…/zurueck`), and shows
 * the result of a trial (`…/probe`).
 */

import {
  EXTERNAL_SIGN_IN_LIFETIME,
  EXTERNAL_SIGN_IN_ROUTE,
  externalQuery,
  externalReturnQuery,
  PROVIDERS,
  signInTrialAnswer,
  signInTrialInput,
} from '../../contract/accounts/external.ts'
import { safeReturnPage } from '../../contract/accounts/own-page.ts'
import { SETTINGS_PAGE } from '../../contract/service/web.ts'
import { failure } from '../../errors/errors.ts'
import type { Visitor } from '../../http/access/callers.ts'
import { type SessionRoute, sessionRoute } from '../../http/route-rights.ts'
import { type Route, route } from '../../http/routes.ts'
import type { IncomingRequest } from '../../http/server/http-server.ts'
import { queryOf } from '../../http/url-parts.ts'
import { cookieHeader, sessionCookie } from '../session/cookies.ts'
import { cookieValues } from '../session/session-scope.ts'
import type { Settings } from '../settings/settings.ts'
import type { ExternalSignIn } from './external-sign-in.ts'
import {
  encodePendingSignIn,
  findPendingSignIn,
  type PendingSignIn,
  pendingCookieName,
} from './pending-sign-in.ts'
import type { WithRefusalPage } from './refusal.page.ts'

const PATH = `${EXTERNAL_SIGN_IN_ROUTE}/:anbieter`

interface ExternalRouteParts {
  loadExternalSignIn: () => Promise<ExternalSignIn>
  settings: Settings
  now: () => number
  /** Turns errors into a page with a link to the sign-in page if the client is a browser. */
  withRefusalPage: WithRefusalPage
}

export function externalRoutes(parts: ExternalRouteParts): Route<Visitor>[] {
  const { loadExternalSignIn, withRefusalPage } = parts
  const cookies = createPendingCookies(parts)
  return [
    route('GET', PATH, {
      summary: 'Leitet zum Anbieter weiter, um sich dort anzumelden',
      query: externalQuery,
      answers: { 303: null },
      handle: ({ param, query, request }, visitor: Visitor) =>
        withRefusalPage(request, async () => {
          const id = PROVIDERS.find(provider => provider === param('anbieter'))
          if (!id) throw failure.providerAbsent()
          const options = { isTrial: query.probe === '1', returnTo: safeReturnPage(query.zurueck ?? '/') }
          const { pendingSignIn, address } = await (await loadExternalSignIn()).begin(id, visitor, options)
          return redirect(address.href, cookies.set(pendingSignIn))
        }),
    }),
    route('GET', `${PATH}/zurueck`, {
      summary: 'Hierhin schickt der Anbieter den Browser zurück; meldet an',
      handlerInput: { query: externalReturnQuery },
      answers: { 303: null },
      handle: ({ param, request }, visitor: Visitor) =>
        withRefusalPage(
          request,
          async () => {
            const returnQuery = queryOf(request.url)
            const pendingSignIn = cookies.find(request, param('anbieter'), returnQuery)
            // A trial is completed by a later request from the dashboard, whose session cookie proves that an
            // operator is asking.
            if (pendingSignIn.isTrial) return redirect(trialPagePath(pendingSignIn, returnQuery))
            const { secret } = await (await loadExternalSignIn()).complete(
              returnQuery,
              pendingSignIn,
              visitor,
            )
            return redirect(pendingSignIn.returnTo, sessionCookie(secret, parts.settings), cookies.clear())
          },
          cookies.clear(),
        ),
    }),
  ]
}

export function signInTrialRoute(parts: ExternalRouteParts): SessionRoute {
  const cookies = createPendingCookies(parts)
  return sessionRoute('POST', `${PATH}/probe`, {
    role: 'betreiber',
    summary: 'Zeigt, was der Anbieter über einen angemeldeten Menschen sagt, und welche Regel gilt',
    body: signInTrialInput,
    answer: signInTrialAnswer,
    async handle({ param, body, request, answerHeaders }, caller) {
      const returnQuery = new URLSearchParams(body.antwort)
      const pendingSignIn = cookies.find(request, param('anbieter'), returnQuery)
      answerHeaders.append('Set-Cookie', cookies.clear())
      const { name, claims, ruleNumber, rights } = await (await parts.loadExternalSignIn()).runTrial(
        returnQuery,
        pendingSignIn,
        caller,
      )
      const [rolle, ordner] = [rights?.role ?? null, rights?.folders ?? null]
      return { benutzer: name, ansprueche: claims, regel: ruleNumber, rolle, ordner: ordner && [...ordner] }
    },
  })
}

/** The path of the settings page, at the section of the provider. That page continues the trial. */
const trialPagePath = ({ provider }: PendingSignIn, returnQuery: URLSearchParams) =>
  `${SETTINGS_PAGE}?${new URLSearchParams({ probe: provider, antwort: String(returnQuery) })}#${provider}`

/** 303: the browser continues with GET (RFC 9110 section 15.4.4). */
function redirect(location: string, ...cookies: readonly string[]): Response {
  const headers = new Headers({ Location: location })
  for (const cookie of cookies) headers.append('Set-Cookie', cookie)
  return new Response(null, { status: 303, headers })
}

function createPendingCookies({ settings, now }: Pick<ExternalRouteParts, 'settings' | 'now'>) {
  const cookieName = () => pendingCookieName(settings.current().PUBLIC_URL)
  const setCookie = (value: string, lifetime: number) => cookieHeader(cookieName(), value, lifetime, settings)
  return {
    set: (pendingSignIn: PendingSignIn) =>
      setCookie(encodePendingSignIn(pendingSignIn), EXTERNAL_SIGN_IN_LIFETIME),
    clear: () => setCookie('', 0),
    /**
     * Finds the sign-in that the answer of the provider belongs to. Throws 400 unless this browser began it
     * recently.
     */
    find(request: IncomingRequest, provider: string, returnQuery: URLSearchParams): PendingSignIn {
      const state = returnQuery.get('state') ?? ''
      const pendingSignIn = findPendingSignIn(cookieValues(request, cookieName()), {
        provider,
        state,
        now: now(),
      })
      if (!pendingSignIn) throw failure.externalExpired()
      return pendingSignIn
    },
  }
}
