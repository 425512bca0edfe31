/**
 * An OpenID Connect provider on loopback that behaves as a test wants, even as no provider may. Everybody is
 * signed in at once; client, redirect address, PKCE and the single use of a code are checked as strictly as
 * by real providers.
 */
import { keepSecret } from './secrets.ts'

export const OIDC_CLIENT = { id: 'fundus', secret: keepSecret('the client secret', 'a-secret-of-the-client') }

/** Settings of a service that uses this provider; people of the group `leitung` are operators. */
export const oidcEnv = ({ origin }: Pick<Oidc, 'origin'>) => ({
  OIDC_ISSUER: origin,
  OIDC_CLIENT_ID: OIDC_CLIENT.id,
  OIDC_CLIENT_SECRET: OIDC_CLIENT.secret,
  OIDC_REGELN: JSON.stringify([{ anspruch: 'groups', wert: 'leitung', rolle: 'betreiber' }]),
})

export interface Twist {
  /** Claims of the ID token that differ from the valid ones; null removes one. */
  claims?: Record<string, unknown>
  /** What userinfo returns; null: another person's data. */
  userinfo?: Record<string, unknown>
  /** Other fields of the discovery document. */
  document?: Record<string, unknown>
  /** How the ID token is signed. */
  signature?: 'right' | 'other-key' | 'none' | 'broken'
  /** Answers for a path instead of the usual ones. */
  answers?: Record<string, () => Response | Promise<Response>>
  /** Accepts a code twice. */
  codesTwice?: boolean
}

export interface Person {
  sub: string
  preferred_username?: string
  [claim: string]: unknown
}

interface Granted {
  nonce: string
  challenge: string
  redirectUri: string
  isUsed: boolean
}

const RS256 = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
const newKey = () =>
  crypto.subtle.generateKey(
    { ...RS256, modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) },
    true,
    ['sign', 'verify'],
  ) as Promise<CryptoKeyPair>

const base64 = (data: string | ArrayBuffer) =>
  Buffer.from(typeof data === 'string' ? data : new Uint8Array(data)).toString('base64url')

export async function openOidc() {
  const codes = new Map<string, Granted>()
  const asked: string[] = []
  let keys = { kid: 'first', pair: await newKey() }
  const other = await newKey()
  const state: { person: Person; twist: Twist } = { person: { sub: 'p1' }, twist: {} }

  async function idToken(nonce: string): Promise<string> {
    const { signature = 'right', claims } = state.twist
    const seconds = Math.floor(Date.now() / 1000)
    const right = { iss: origin, aud: OIDC_CLIENT.id, iat: seconds, exp: seconds + 300, nonce }
    const header = signature === 'none' ? { alg: 'none' } : { alg: 'RS256', kid: keys.kid }
    const body = Object.entries({ ...right, ...state.person, ...claims }).filter(
      ([, value]) => value !== null,
    )
    const text = `${base64(JSON.stringify(header))}.${base64(JSON.stringify(Object.fromEntries(body)))}`
    if (signature === 'none') return `${text}.`
    const key = (signature === 'other-key' ? other : keys.pair).privateKey
    const signed = base64(await crypto.subtle.sign(RS256, key, Buffer.from(text)))
    return `${text}.${signature === 'broken' ? signed.replace(/^./, first => (first === 'A' ? 'B' : 'A')) : signed}`
  }

  /** Signs everybody in at once. */
  function authorize(query: URLSearchParams): Response {
    const given = Object.fromEntries(query)
    const { client_id, redirect_uri, response_type, scope, code_challenge, code_challenge_method } = given
    const isRight =
      client_id === OIDC_CLIENT.id && response_type === 'code' && code_challenge_method === 'S256'
    if (!isRight || !scope?.split(' ').includes('openid') || !given.state || !given.nonce || !code_challenge)
      return new Response(`refused: ${query}`, { status: 400 })
    const code = crypto.randomUUID()
    codes.set(code, {
      nonce: given.nonce,
      challenge: code_challenge,
      redirectUri: redirect_uri ?? '',
      isUsed: false,
    })
    const back = new URL(redirect_uri ?? '')
    back.search = String(new URLSearchParams({ code, state: given.state, iss: origin }))
    return Response.redirect(back.href, 303)
  }

  async function token(request: Request): Promise<Response> {
    // Both parts are form-encoded before they are joined (RFC 6749 section 2.3.1).
    const proof = Buffer.from(request.headers.get('authorization')?.slice('Basic '.length) ?? '', 'base64')
    if (decodeURIComponent(String(proof)) !== `${OIDC_CLIENT.id}:${OIDC_CLIENT.secret}`)
      return Response.json({ error: 'invalid_client' }, { status: 401 })
    const given = new URLSearchParams(await request.text())
    const code = codes.get(given.get('code') ?? '')
    const verifier = given.get('code_verifier') ?? ''
    const challenge = base64(await crypto.subtle.digest('SHA-256', Buffer.from(verifier)))
    const isFresh = code && (!code.isUsed || state.twist.codesTwice)
    if (!isFresh || challenge !== code.challenge || given.get('redirect_uri') !== code.redirectUri)
      return Response.json({ error: 'invalid_grant' }, { status: 400 })
    code.isUsed = true
    return Response.json({
      access_token: 'access',
      token_type: 'Bearer',
      expires_in: 300,
      id_token: await idToken(code.nonce),
    })
  }

  const routes: Record<string, (request: Request) => Response | Promise<Response>> = {
    '/.well-known/openid-configuration': () =>
      Response.json({
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        jwks_uri: `${origin}/jwks`,
        userinfo_endpoint: `${origin}/userinfo`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        authorization_response_iss_parameter_supported: true,
        ...state.twist.document,
      }),
    '/authorize': request => authorize(new URL(request.url).searchParams),
    '/token': token,
    '/jwks': async () => {
      const key = await crypto.subtle.exportKey('jwk', keys.pair.publicKey)
      return Response.json({ keys: [{ ...key, kid: keys.kid, use: 'sig', alg: 'RS256' }] })
    },
    '/userinfo': () => Response.json({ ...state.person, ...state.twist.userinfo }),
  }
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      const { pathname } = new URL(request.url)
      asked.push(pathname)
      const answer = state.twist.answers?.[pathname] ?? routes[pathname]
      return answer?.(request) ?? new Response('nothing here', { status: 404 })
    },
  })
  const origin = `http://127.0.0.1:${server.port}`

  return {
    origin,
    /** The paths that were requested since this was last emptied. */
    asked,
    state,
    /** Replaces the keys by new ones. */
    async rotate() {
      keys = { kid: crypto.randomUUID(), pair: await newKey() }
    },
    [Symbol.dispose]() {
      void server.stop(true)
    },
  }
}

export type Oidc = Awaited<ReturnType<typeof openOidc>>
