/**
 * The routes `/api/dash/totp` and `/api/dash/passkeys`, and those below them: people manage their own second
 * factors.
 */
import { z } from 'zod'
import {
  codeInput,
  emergencyCodesAnswer,
  passkeyAnswer,
  passkeyInput,
  passkeyOptions,
  passkeyRenameInput,
  removeTotpInput,
  totpAnswer,
} from '../../../contract/accounts/factors.ts'
import { doneAnswer } from '../../../contract/accounts/session.ts'
import { DASHBOARD_ROUTE } from '../../../contract/paths/addresses.ts'
import { type SessionRoute, sessionRoute } from '../../../http/route-rights.ts'
import { answerOkWhenDone } from '../../../http/routes.ts'
import type { Passkeys } from './passkeys.ts'
import type { Totp } from './totp.ts'

/**
 * Routes with this access are open to every role, even while the account lacks a second factor that it must
 * have.
 */
const OWN_FACTORS_ACCESS = { role: 'ansicht', targets: 'nothing', needsFactor: false } as const

export const factorRoutes = ({ totp, passkeys }: { totp: Totp; passkeys: Passkeys }): SessionRoute[] => [
  ...totpRoutes(totp),
  ...passkeyRoutes(passkeys),
]

function totpRoutes(totp: Totp): SessionRoute[] {
  const path = `${DASHBOARD_ROUTE}/totp`
  return [
    sessionRoute('POST', path, {
      ...OWN_FACTORS_ACCESS,
      summary: 'Beginnt die Einrichtung einer Authenticator-App',
      answer: totpAnswer,
      handle: (_, { account }) => totp.begin(account),
    }),
    sessionRoute('POST', `${path}/bestaetigen`, {
      ...OWN_FACTORS_ACCESS,
      summary: 'Bestätigt die App mit ihrem ersten Code; die Notfallcodes kommen nur hier',
      body: codeInput,
      answer: emergencyCodesAnswer,
      handle: async ({ body }, { account }) => ({
        notfallcodes: await totp.confirm(account, body.code),
      }),
    }),
    sessionRoute('DELETE', path, {
      ...OWN_FACTORS_ACCESS,
      summary: 'Entfernt die Authenticator-App und die Notfallcodes',
      body: removeTotpInput,
      answer: doneAnswer,
      handle: ({ body }, session) =>
        answerOkWhenDone(totp.remove(session, session.clientNetwork, body.passwort)),
    }),
  ]
}

function passkeyRoutes(passkeys: Passkeys): SessionRoute[] {
  const path = `${DASHBOARD_ROUTE}/passkeys`
  return [
    sessionRoute('GET', path, {
      ...OWN_FACTORS_ACCESS,
      summary: 'Die eigenen Passkeys',
      answer: z.array(passkeyAnswer),
      handle: (_, { account }) => passkeys.list(account),
    }),
    sessionRoute('POST', `${path}/optionen`, {
      ...OWN_FACTORS_ACCESS,
      summary: 'Die Angaben, mit denen ein Browser einen Passkey anlegt',
      answer: passkeyOptions,
      handle: async (_, { account }) => ({ ...(await passkeys.creationOptions(account)) }),
    }),
    sessionRoute('POST', path, {
      ...OWN_FACTORS_ACCESS,
      summary: 'Fügt einen Passkey hinzu',
      body: passkeyInput,
      answer: passkeyAnswer,
      handle: ({ body }, { account }) => passkeys.add(account, body.name, body.antwort),
    }),
    sessionRoute('PATCH', `${path}/:id`, {
      ...OWN_FACTORS_ACCESS,
      summary: 'Benennt einen Passkey um',
      body: passkeyRenameInput,
      answer: doneAnswer,
      handle: ({ param, body }, { account }) =>
        answerOkWhenDone(passkeys.rename(account, param('id'), body.name)),
    }),
    sessionRoute('DELETE', `${path}/:id`, {
      ...OWN_FACTORS_ACCESS,
      summary: 'Entfernt einen Passkey',
      answer: doneAnswer,
      handle: ({ param }, { account }) => answerOkWhenDone(passkeys.remove(account, param('id'))),
    }),
  ]
}
