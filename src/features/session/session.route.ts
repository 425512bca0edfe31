/** Set-up, signing in and out, accounts: `/api/dash/einrichtung`, `login`, `logout`, `ich`, `passwort`, `benutzer`. */
import { z } from 'zod'
import type { Session } from '../../access/callers.ts'
import {
  type AccountAnswer,
  accountAnswer,
  accountInput,
  DASHBOARD_ROUTE,
  doneAnswer,
  loginInput,
  passwordInput,
  SESSION_COOKIE,
  SESSION_LIFETIME,
  type SessionAnswer,
  sessionAnswer,
  setupAnswer,
  setupInput,
  welcomeAnswer,
} from '../../contract/session.ts'
import { readJson } from '../../http/json.ts'
import type { Route } from '../../http/routes.ts'
import type { Settings } from '../settings/settings.ts'
import type { Account } from './accounts.store.ts'
import type { Accounts } from './accounts.ts'
import { clientOf } from './dashboard.ts'
import type { BegunSession, Sessions } from './sessions.ts'
import type { Setup } from './setup.ts'
import type { SignIn } from './sign-in.ts'

/** For everybody. */
export function signInRoutes(parts: { setup: Setup; signIn: SignIn; settings: Settings }): Route<null>[] {
  const { setup, signIn, settings } = parts
  const path = `${DASHBOARD_ROUTE}/einrichtung`

  const welcome = ({ session, secret }: BegunSession) =>
    Response.json(
      { benutzer: session.account.name },
      { headers: { 'Set-Cookie': cookie(secret, SESSION_LIFETIME, settings) } },
    )

  return [
    {
      method: 'GET',
      path,
      api: { summary: 'Ob noch kein Benutzerkonto besteht', answer: setupAnswer },
      handle: async () => Response.json({ offen: await setup.isOpen() }),
    },
    {
      method: 'POST',
      path,
      api: { summary: 'Legt das erste Benutzerkonto an', body: setupInput, answer: welcomeAnswer },
      async handle(context) {
        const client = clientOf(context)
        return welcome(await setup.complete(await readJson(context.req.raw, setupInput), client))
      },
    },
    {
      method: 'POST',
      path: `${DASHBOARD_ROUTE}/login`,
      api: { summary: 'Meldet an', body: loginInput, answer: welcomeAnswer },
      async handle(context) {
        const client = clientOf(context)
        return welcome(await signIn(await readJson(context.req.raw, loginInput), client))
      },
    },
  ]
}

/** For whoever is signed in. */
export function sessionRoutes(parts: {
  sessions: Sessions
  accounts: Accounts
  settings: Settings
}): Route<Session>[] {
  const { sessions, accounts, settings } = parts
  return [
    {
      method: 'POST',
      path: `${DASHBOARD_ROUTE}/logout`,
      api: { summary: 'Beendet die Sitzung', answer: doneAnswer },
      async handle(_, session) {
        await sessions.end(session)
        return Response.json({ ok: true }, { headers: { 'Set-Cookie': cookie('', 0, settings) } })
      },
    },
    {
      method: 'GET',
      path: `${DASHBOARD_ROUTE}/ich`,
      api: { summary: 'Wer angemeldet ist, und bis wann', answer: sessionAnswer },
      handle: (_, { account, expiresAt }) =>
        Response.json({ benutzer: account.name, gueltig_bis: expiresAt } satisfies SessionAnswer),
    },
    {
      method: 'POST',
      path: `${DASHBOARD_ROUTE}/passwort`,
      api: { summary: 'Ändert das eigene Passwort', body: passwordInput, answer: doneAnswer },
      async handle(context, session) {
        const client = clientOf(context)
        await accounts.changePassword(session, client, await readJson(context.req.raw, passwordInput))
        return Response.json({ ok: true })
      },
    },
    ...accountRoutes(accounts),
  ]
}

function accountRoutes(accounts: Accounts): Route<Session>[] {
  const path = `${DASHBOARD_ROUTE}/benutzer`
  return [
    {
      method: 'GET',
      path,
      api: { summary: 'Die Benutzerkonten', answer: z.array(accountAnswer) },
      handle: async () => Response.json((await accounts.list()).map(onWire)),
    },
    {
      method: 'POST',
      path,
      api: { summary: 'Legt ein Benutzerkonto an', body: accountInput, answer: accountAnswer },
      async handle(context, session) {
        const input = await readJson(context.req.raw, accountInput)
        return Response.json(onWire(await accounts.create(input, { account: session.account.name })))
      },
    },
    {
      method: 'DELETE',
      path: `${path}/:id`,
      api: { summary: 'Löscht ein Benutzerkonto', answer: doneAnswer },
      async handle(context, session) {
        await accounts.remove(context.req.param('id')!, { account: session.account.name })
        return Response.json({ ok: true })
      },
    },
  ]
}

/** Field by field, so that nothing else ever goes along. */
const onWire = ({ id, name, createdAt, signedInAt }: Account): AccountAnswer => ({
  id,
  benutzer: name,
  erstellt_am: createdAt,
  zuletzt_angemeldet: signedInAt,
})

/** Without `Domain`: for this very host alone, not for its siblings. */
function cookie(value: string, lifetime: number, settings: Settings): string {
  const secure = settings.current().PUBLIC_URL.startsWith('https:') ? '; Secure' : ''
  return `${SESSION_COOKIE}=${value}; Path=/; Max-Age=${lifetime / 1000}; HttpOnly; SameSite=Lax${secure}`
}
