/**
 * The routes `/api/dash/…` for `einrichtung`, `einladung`, `login`, `logout`, `ich`, `passwort` and
 * `benutzer`.
 */
import { z } from 'zod'
import {
  passkeyOptions,
  passkeySignInInput,
  secondStepAnswer,
  secondStepInput,
} from '../../contract/accounts/factors.ts'
import { acceptInvitationInput } from '../../contract/accounts/invitations.ts'
import {
  type AccountAnswer,
  accountAnswer,
  accountPatch,
  doneAnswer,
  loginInput,
  newAccountInput,
  passwordInput,
  sessionAnswer,
  setupAnswer,
  setupInput,
  signedInAnswer,
} from '../../contract/accounts/session.ts'
import { DASHBOARD_ROUTE } from '../../contract/paths/addresses.ts'
import type { Visitor } from '../../http/access/callers.ts'
import { type SessionRoute, sessionRoute } from '../../http/route-rights.ts'
import { answerOkWhenDone, type Route, route } from '../../http/routes.ts'
import { offeredProviders } from '../settings/offered-providers.ts'
import type { Settings } from '../settings/settings.ts'
import type { Account } from './accounts.store.ts'
import type { Accounts } from './accounts.ts'
import { sessionCookie } from './cookies.ts'
import { type AccountFactors, NO_FACTORS } from './factors/factors.store.ts'
import type { Factors } from './factors/factors.ts'
import type { Passkeys } from './factors/passkeys.ts'
import type { Invitations } from './invitations/invitations.ts'
import type { BegunSession, Sessions } from './sessions.ts'
import type { Setup } from './setup.ts'
import type { SignIn } from './sign-in/sign-in.ts'

interface SignInRouteParts {
  setup: Setup
  signIn: SignIn
  passkeys: Passkeys
  invitations: Invitations
  settings: Settings
}

export function signInRoutes(parts: SignInRouteParts): Route<Visitor>[] {
  const { setup, signIn, passkeys, invitations, settings } = parts
  const setupPath = `${DASHBOARD_ROUTE}/einrichtung`
  const loginPath = `${DASHBOARD_ROUTE}/login`

  const answerSignedIn = ({ session, secret }: BegunSession, answerHeaders: Headers) => {
    answerHeaders.set('Set-Cookie', sessionCookie(secret, settings))
    return { benutzer: session.account.name }
  }

  return [
    route('GET', setupPath, {
      summary: 'Ob noch kein Benutzerkonto besteht, und wie man sich anmelden kann',
      answer: setupAnswer,
      handle: async () => ({
        offen: await setup.isOpen(),
        anmeldung: { passkey: passkeys.arePossible(), anbieter: offeredProviders(settings.current()) },
      }),
    }),
    route('POST', setupPath, {
      summary: 'Legt das erste Benutzerkonto an',
      body: setupInput,
      answer: signedInAnswer,
      handle: async ({ body, answerHeaders }, visitor: Visitor) =>
        answerSignedIn(await setup.complete(body, visitor), answerHeaders),
    }),
    route('POST', loginPath, {
      summary: 'Meldet an; mit zweitem Faktor folgt noch der Code',
      body: loginInput,
      answer: z.union([signedInAnswer, secondStepAnswer]),
      async handle({ body, answerHeaders }, visitor: Visitor) {
        const signInResult = await signIn.withPassword(body, visitor)
        if ('session' in signInResult) return answerSignedIn(signInResult, answerHeaders)
        return { zweiter_faktor: ['totp', 'notfallcode'] as const, schritt: signInResult.step }
      },
    }),
    route('POST', `${loginPath}/zweiter-faktor`, {
      summary: 'Meldet mit dem Code der App oder einem Notfallcode an, nach dem Passwort',
      body: secondStepInput,
      answer: signedInAnswer,
      handle: async ({ body, answerHeaders }, visitor: Visitor) =>
        answerSignedIn(await signIn.withCode(body, visitor), answerHeaders),
    }),
    route('POST', `${loginPath}/passkey/optionen`, {
      summary: 'Die Angaben, mit denen ein Browser nach einem Passkey fragt',
      answer: passkeyOptions,
      handle: async () => ({ ...(await passkeys.requestOptions()) }),
    }),
    route('POST', `${loginPath}/passkey`, {
      summary: 'Meldet mit einem Passkey an',
      body: passkeySignInInput,
      answer: signedInAnswer,
      handle: async ({ body, answerHeaders }, visitor: Visitor) =>
        answerSignedIn(await passkeys.signIn(body.antwort, visitor), answerHeaders),
    }),
    route('POST', `${DASHBOARD_ROUTE}/einladung`, {
      summary: 'Nimmt eine Einladung an: legt das Konto an und meldet an',
      body: acceptInvitationInput,
      answer: signedInAnswer,
      handle: async ({ body, answerHeaders }, visitor: Visitor) =>
        answerSignedIn(await invitations.accept(body, visitor), answerHeaders),
    }),
  ]
}

type SessionRouteParts = { sessions: Sessions; accounts: Accounts; factors: Factors; settings: Settings }

export function sessionRoutes(parts: SessionRouteParts): SessionRoute[] {
  const { sessions, accounts, factors, settings } = parts
  return [
    sessionRoute('POST', `${DASHBOARD_ROUTE}/logout`, {
      role: 'ansicht',
      targets: 'nothing',
      needsFactor: false,
      summary: 'Beendet die Sitzung',
      answer: doneAnswer,
      handle({ answerHeaders }, session) {
        answerHeaders.set('Set-Cookie', sessionCookie('', settings))
        return answerOkWhenDone(sessions.end(session))
      },
    }),
    sessionRoute('GET', `${DASHBOARD_ROUTE}/ich`, {
      role: 'ansicht',
      targets: 'nothing',
      needsFactor: false,
      summary: 'Wer angemeldet ist, mit welcher Rolle und bis wann, und was jede Seite vom Dienst braucht',
      answer: sessionAnswer,
      async handle(_, { account, expiresAt }) {
        const { PUBLIC_URL, FILES_HOST, MAX_UPLOAD_MB, DIENST, BILDGROESSEN } = settings.current()
        const { id, name, role, folders } = account
        return {
          benutzer: name,
          rolle: role,
          ordner: folders,
          gueltig_bis: expiresAt,
          ...factorsOnWire(await factors.get(id)),
          zweiter_faktor_fehlt: await factors.areMissing(account),
          extern: await accounts.isExternal(id),
          dienst: { PUBLIC_URL, FILES_HOST, MAX_UPLOAD_MB, DIENST, BILDGROESSEN },
        }
      },
    }),
    sessionRoute('POST', `${DASHBOARD_ROUTE}/passwort`, {
      role: 'ansicht',
      targets: 'nothing',
      summary: 'Ändert das eigene Passwort',
      body: passwordInput,
      answer: doneAnswer,
      handle: ({ body }, session) =>
        answerOkWhenDone(accounts.changePassword(session, session.clientNetwork, body)),
    }),
    ...accountRoutes(accounts, factors),
  ]
}

function accountRoutes(accounts: Accounts, factors: Factors): SessionRoute[] {
  const path = `${DASHBOARD_ROUTE}/benutzer`
  return [
    sessionRoute('GET', path, {
      role: 'betreiber',
      summary: 'Die Benutzerkonten',
      answer: z.array(accountAnswer),
      async handle() {
        const factorsById = await factors.listByAccount()
        return (await accounts.list()).map(account => accountOnWire(account, factorsById.get(account.id)))
      },
    }),
    sessionRoute('POST', path, {
      role: 'betreiber',
      summary: 'Legt ein Benutzerkonto an',
      body: newAccountInput,
      answer: accountAnswer,
      handle: async ({ body }, { actor }) => accountOnWire(await accounts.create(body, actor)),
    }),
    sessionRoute('PATCH', `${path}/:id`, {
      role: 'betreiber',
      summary: 'Ändert Rolle, Ordner oder Passwort eines Benutzerkontos und beendet seine Sitzungen',
      body: accountPatch,
      answer: accountAnswer,
      async handle({ body, param }, { actor }) {
        const account = await accounts.change(param('id'), body, actor)
        return accountOnWire(account, await factors.get(account.id))
      },
    }),
    sessionRoute('DELETE', `${path}/:id`, {
      role: 'betreiber',
      summary: 'Löscht ein Benutzerkonto',
      answer: doneAnswer,
      handle: ({ param }, { actor }) => answerOkWhenDone(accounts.remove(param('id'), actor)),
    }),
  ]
}

/** Field by field, so that the password hash never reaches the answer. */
const accountOnWire = (
  { id, name, role, folders, created_at, signed_in_at }: Account,
  factors: AccountFactors = NO_FACTORS,
): AccountAnswer => ({
  id,
  benutzer: name,
  rolle: role,
  ordner: folders,
  erstellt_am: created_at,
  zuletzt_angemeldet: signed_in_at,
  ...factorsOnWire(factors),
})

const factorsOnWire = ({ hasTotp, passkeyCount }: AccountFactors) => ({
  zweiter_faktor: hasTotp ? ('totp' as const) : null,
  passkeys: passkeyCount,
})
