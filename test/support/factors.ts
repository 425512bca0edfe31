/** Second factors by address: an authenticator app, and passkeys of an authenticator without a browser. */
import { TOTP } from 'otpauth'
import { createAuthenticator } from './authenticator.ts'
import { ADMIN, dash, signIn } from './dashboard.ts'
import type { Service } from './service.ts'

const STEP = 30_000

/** The code of an app. `steps`: how many time steps it is ahead; each code is accepted once. */
export const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret }).generate({ timestamp: Date.now() + steps * STEP })

export async function answerOf<T>(response: Response | Promise<Response>): Promise<T> {
  const answer = await response
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
  return (await answer.json()) as T
}

let made = 0

/** A new account, with a session. */
export async function newPerson(service: Service, by: string, more: object = {}) {
  const account = { benutzer: `person ${++made}`, passwort: ADMIN.passwort }
  const { id } = await answerOf<{ id: string }>(
    dash(service, 'benutzer', { json: { ...account, ...more }, session: by }),
  )
  return { ...account, id, session: await signIn(service, account) }
}

/** Sets up an app with its current code. */
export async function setUpTotp(service: Service, session: string) {
  const { geheimnis } = await answerOf<{ geheimnis: string }>(
    dash(service, 'totp', { method: 'POST', session }),
  )
  const confirmingCode = codeOf(geheimnis)
  const { notfallcodes } = await answerOf<{ notfallcodes: string[] }>(
    dash(service, 'totp/bestaetigen', { json: { code: confirmingCode }, session }),
  )
  return { secret: geheimnis, confirmingCode, codes: notfallcodes }
}

/** The second step to which a right password leads. */
export async function stepOf(service: Service, account: typeof ADMIN, headers = {}): Promise<string> {
  const { benutzer, passwort } = account
  const login = dash(service, 'login', { json: { benutzer, passwort }, headers })
  return (await answerOf<{ schritt: string }>(login)).schritt
}

/** The answer with which a browser would register a passkey. */
export async function newPasskey(service: Service, session: string) {
  const { dienst } = await answerOf<{ dienst: { PUBLIC_URL: string } }>(dash(service, 'ich', { session }))
  const authenticator = createAuthenticator({ origin: new URL(dienst.PUBLIC_URL).origin })
  const options = dash(service, 'passkeys/optionen', { method: 'POST', session })
  return { authenticator, json: { name: 'Laptop', antwort: authenticator.create(await answerOf(options)) } }
}

export async function addPasskey(service: Service, session: string) {
  const { authenticator, json } = await newPasskey(service, session)
  const { id } = await answerOf<{ id: string }>(dash(service, 'passkeys', { json, session }))
  return { id, authenticator }
}

type Signer = Awaited<ReturnType<typeof addPasskey>>['authenticator']

/** The request that signs in with a passkey. */
export async function passkeyAnswer(service: Service, authenticator: Signer) {
  const options = await answerOf<{ challenge: string }>(
    dash(service, 'login/passkey/optionen', { method: 'POST' }),
  )
  return { antwort: authenticator.get(options) }
}

export const signInWithPasskey = async (service: Service, authenticator: Signer) =>
  dash(service, 'login/passkey', { json: await passkeyAnswer(service, authenticator) })
