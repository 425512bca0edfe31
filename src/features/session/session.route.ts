/** `/api/dash/`: `einrichtung`, `login`, `logout`, `ich`, `passwort`, `benutzer`. */
import { z } from 'zod'
import {
  type AccountAnswer,
  accountAnswer,
  accountPatch,
  DASHBOARD_ROUTE,
  doneAnswer,
  loginInput,
  newAccountInput,
  passwordInput,
  SESSION_COOKIE,
  SESSION_LIFETIME,
  sessionAnswer,
  setupAnswer,
  setupInput,
  welcomeAnswer,
} from '../../contract/accounts/session.ts'
import type { Visitor } from '../../http/access/callers.ts'
import { okAfter, type Route, route } from '../../http/routes.ts'
import { type SessionRoute, sessionRoute } from '../../http/session-route.ts'
import type { Settings } from '../settings/settings.ts'
import type { Account } from './accounts.store.ts'
import type { Accounts } from './accounts.ts'
import type { BegunSession, Sessions } from './sessions.ts'
import type { Setup } from './setup.ts'
import type { SignIn } from './sign-in.ts'

export function signInRoutes(parts: { setup: Setup; signIn: SignIn; settings: Settings }): Route<Visitor>[] {
  const { setup, signIn, settings } = parts
  const path = `${DASHBOARD_ROUTE}/einrichtung`

  const welcome = ({ session, secret }: BegunSession, answerHeaders: Headers) => {
    answerHeaders.set('Set-Cookie', cookie(secret, SESSION_LIFETIME, settings))
    return { benutzer: session.account.name }
  }

  return [
    route('GET', path, {
      summary: 'Ob noch kein Benutzerkonto besteht',
      answer: setupAnswer,
      handle: async () => ({ offen: await setup.isOpen() }),
    }),
    route('POST', path, {
      summary: 'Legt das erste Benutzerkonto an',
      body: setupInput,
      answer: welcomeAnswer,
      handle: async ({ body, answerHeaders }, visitor: Visitor) =>
        welcome(await setup.complete(body, visitor), answerHeaders),
    }),
    route('POST', `${DASHBOARD_ROUTE}/login`, {
      summary: 'Meldet an',
      body: loginInput,
      answer: welcomeAnswer,
      handle: async ({ body, answerHeaders }, visitor: Visitor) =>
        welcome(await signIn(body, visitor), answerHeaders),
    }),
  ]
}

type SessionRouteParts = { sessions: Sessions; accounts: Accounts; settings: Settings }

export function sessionRoutes({ sessions, accounts, settings }: SessionRouteParts): SessionRoute[] {
  return [
    sessionRoute('POST', `${DASHBOARD_ROUTE}/logout`, {
      role: 'ansicht',
      names: 'nothing',
      summary: 'Beendet die Sitzung',
      answer: doneAnswer,
      handle({ answerHeaders }, session) {
        answerHeaders.set('Set-Cookie', cookie('', 0, settings))
        return okAfter(sessions.end(session))
      },
    }),
    sessionRoute('GET', `${DASHBOARD_ROUTE}/ich`, {
      role: 'ansicht',
      names: 'nothing',
      summary: 'Wer angemeldet ist, mit welcher Rolle und bis wann, und was jede Seite vom Dienst braucht',
      answer: sessionAnswer,
      handle(_, { account: { name, role, folders }, expiresAt }) {
        const { PUBLIC_URL, FILES_HOST, MAX_UPLOAD_MB, DIENST } = settings.current()
        return {
          benutzer: name,
          rolle: role,
          ordner: folders,
          gueltig_bis: expiresAt,
          dienst: { PUBLIC_URL, FILES_HOST, MAX_UPLOAD_MB, DIENST },
        }
      },
    }),
    sessionRoute('POST', `${DASHBOARD_ROUTE}/passwort`, {
      role: 'ansicht',
      names: 'nothing',
      summary: 'Ändert das eigene Passwort',
      body: passwordInput,
      answer: doneAnswer,
      handle: ({ body }, session) => okAfter(accounts.changePassword(session, session.client, body)),
    }),
    ...accountRoutes(accounts),
  ]
}

function accountRoutes(accounts: Accounts): SessionRoute[] {
  const path = `${DASHBOARD_ROUTE}/benutzer`
  return [
    sessionRoute('GET', path, {
      role: 'betreiber',
      summary: 'Die Benutzerkonten',
      answer: z.array(accountAnswer),
      handle: async () => (await accounts.list()).map(onWire),
    }),
    sessionRoute('POST', path, {
      role: 'betreiber',
      summary: 'Legt ein Benutzerkonto an',
      body: newAccountInput,
      answer: accountAnswer,
      handle: async ({ body }, { actor }) => onWire(await accounts.create(body, actor)),
    }),
    sessionRoute('PATCH', `${path}/:id`, {
      role: 'betreiber',
      summary: 'Ändert Rolle, Ordner oder Passwort eines Benutzerkontos und beendet seine Sitzungen',
      body: accountPatch,
      answer: accountAnswer,
      handle: async ({ body, param }, { actor }) => onWire(await accounts.change(param('id'), body, actor)),
    }),
    sessionRoute('DELETE', `${path}/:id`, {
      role: 'betreiber',
      summary: 'Löscht ein Benutzerkonto',
      answer: doneAnswer,
      handle: ({ param }, { actor }) => okAfter(accounts.remove(param('id'), actor)),
    }),
  ]
}

/** Field by field, so that the password hash never reaches the answer. */
const onWire = ({ id, name, role, folders, created_at, signed_in_at }: Account): AccountAnswer => ({
  id,
  benutzer: name,
  rolle: role,
  ordner: folders,
  erstellt_am: created_at,
  zuletzt_angemeldet: signed_in_at,
})

/** Without `Domain`, so that the browser sends the cookie to this host alone. */
function cookie(value: string, lifetime: number, settings: Settings): string {
  const secure = settings.current().PUBLIC_URL.startsWith('https:') ? '; Secure' : ''
  return `${SESSION_COOKIE}=${value}; Path=/; Max-Age=${lifetime / 1000}; HttpOnly; SameSite=Lax${secure}`
}
