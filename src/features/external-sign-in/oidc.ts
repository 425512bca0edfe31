/**
 * Sign-in with an OpenID Connect provider: authorization code with PKCE, state and nonce. The provider's
 * metadata and keys are fetched for each sign-in, so that a rotated key takes effect at once on every
 * instance.
 */
import * as oauth from 'oauth4webapi'
import type { OidcRule } from '../../contract/accounts/external.ts'
import { Failure, failure } from '../../errors/errors.ts'
import type { PendingSignIn } from './pending-sign-in.ts'
import type { ClaimRule, Provider } from './provider.ts'
import type { ProviderFetch } from './provider-requests.ts'

/** Maximum difference in seconds between the clocks of the provider and of this service. */
const CLOCK_TOLERANCE = 60

/**
 * Scopes requested besides `openid`: those of `WANTED_SCOPES` that the provider lists, or `FALLBACK_SCOPES`
 * if it lists no scopes. Some providers return groups only if the scope `groups` is requested, and some
 * refuse unknown scopes.
 */
const WANTED_SCOPES = ['profile', 'email', 'groups']
const FALLBACK_SCOPES = ['profile', 'email']

interface OidcParts {
  issuer: string
  clientId: string
  clientSecret: string
  rules: readonly OidcRule[]
  redirectUri: string
  fetch: ProviderFetch
  now: () => number
}

export function createOidc(parts: OidcParts): Provider {
  const issuer = new URL(parts.issuer)
  const client: oauth.Client = {
    client_id: parts.clientId,
    [oauth.clockTolerance]: CLOCK_TOLERANCE,
    // `oauth4webapi` reads the system clock. The skew tells it by how many seconds the clock of this service
    // (`parts.now`) is ahead of the system clock.
    [oauth.clockSkew]: Math.round((parts.now() - Date.now()) / 1000),
  }
  const requestOptions = (signal: AbortSignal) => ({
    [oauth.customFetch]: parts.fetch,
    // `parts.fetch` decides which addresses may be plain http.
    [oauth.allowInsecureRequests]: true,
    signal,
  })

  async function discover(deadline: AbortSignal): Promise<oauth.AuthorizationServer> {
    const answer = await oauth.discoveryRequest(issuer, requestOptions(deadline))
    return oauth.processDiscoveryResponse(issuer, answer)
  }

  async function fetchClaims(returnQuery: URLSearchParams, pending: PendingSignIn, deadline: AbortSignal) {
    const server = await discover(deadline)
    const options = requestOptions(deadline)
    const parameters = oauth.validateAuthResponse(server, client, returnQuery, pending.state)
    const { redirectUri } = parts
    const authentication = clientAuthentication(server, parts.clientSecret)
    const tokenAnswer = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authentication,
      parameters,
      redirectUri,
      pending.verifier,
      options,
    )
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, tokenAnswer, {
      expectedNonce: pending.nonce,
      requireIdToken: true,
    })
    await oauth.validateApplicationLevelSignature(server, tokenAnswer, options)
    const idTokenClaims = oauth.getValidatedIdTokenClaims(tokens)!
    const userInfoClaims = await fetchUserInfo(server, client, {
      subject: idTokenClaims.sub,
      token: tokens.access_token,
      options,
    })
    return { ...userInfoClaims, ...idTokenClaims }
  }

  return {
    origin: parts.issuer,
    rules: parts.rules.map(
      ({ anspruch, wert, rolle, ordner = null }): ClaimRule => ({
        claim: anspruch,
        value: wert,
        rights: { role: rolle, folders: ordner },
      }),
    ),

    createAuthorizationUrl: (pendingSignIn, deadline) =>
      convertOAuthErrors(async () => {
        const server = await discover(deadline)
        if (!server.authorization_endpoint)
          throw failure.providerBroken(new Error('no authorization_endpoint'))
        const { scopes_supported: supportedScopes } = server
        const scopes = supportedScopes
          ? WANTED_SCOPES.filter(scope => supportedScopes.includes(scope))
          : FALLBACK_SCOPES
        return authorizationUrl(server.authorization_endpoint, pendingSignIn, {
          client_id: parts.clientId,
          redirect_uri: parts.redirectUri,
          scope: ['openid', ...scopes].join(' '),
          nonce: pendingSignIn.nonce,
        })
      }),

    identify: (returnQuery, pendingSignIn, deadline) =>
      convertOAuthErrors(async () => {
        const claims = await fetchClaims(returnQuery, pendingSignIn, deadline)
        const { sub: subject, preferred_username, nickname, name, email } = claims
        return { subject, names: [preferred_username, nickname, name, email, subject], claims }
      }),
  }
}

/**
 * The claims that the provider returns at its UserInfo address; none if it has no such address. They are
 * needed because some providers put only the subject into the ID token.
 */
async function fetchUserInfo(
  server: oauth.AuthorizationServer,
  client: oauth.Client,
  request: { subject: string; token: string; options: oauth.UserInfoRequestOptions },
): Promise<Record<string, unknown>> {
  if (!server.userinfo_endpoint) return {}
  const answer = await oauth.userInfoRequest(server, client, request.token, request.options)
  const isSigned = answer.headers.get('content-type')?.includes('application/jwt')
  const claims = await oauth.processUserInfoResponse(server, client, request.subject, answer)
  if (isSigned) await oauth.validateApplicationLevelSignature(server, answer, request.options)
  return claims
}

/**
 * How the service authenticates itself to the provider: HTTP Basic if the provider lists it or lists no
 * method, otherwise the secret in the body (OpenID Connect Discovery 1.0 section 3).
 */
function clientAuthentication(server: oauth.AuthorizationServer, secret: string): oauth.ClientAuth {
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  return methods.includes('client_secret_basic')
    ? basicAuthentication(secret)
    : oauth.ClientSecretPost(secret)
}

/**
 * HTTP Basic as RFC 6749 section 2.3.1 requires. The library would also escape `-`, `_` and `.`, which form
 * encoding leaves unchanged. Providers that do not decode, such as LemonLDAP::NG, would then refuse most
 * usual secrets.
 */
const basicAuthentication =
  (secret: string): oauth.ClientAuth =>
  (_server, client, _body, headers) => {
    const credentials = [client.client_id, secret].map(formEncode).join(':')
    headers.set('authorization', `Basic ${btoa(credentials)}`)
  }

const formEncode = (text: string) => String(new URLSearchParams({ '': text })).slice('='.length)

export async function authorizationUrl(
  endpoint: string,
  { state, verifier }: PendingSignIn,
  parameters: Readonly<Record<string, string>>,
): Promise<URL> {
  const url = new URL(endpoint)
  const challenge = await oauth.calculatePKCECodeChallenge(verifier)
  const allParameters = {
    response_type: 'code',
    ...parameters,
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(allParameters)) url.searchParams.set(name, value)
  return url
}

/**
 * Runs `task`. Turns the known errors of the OAuth library into failures of this service; other errors are
 * passed on.
 */
export async function convertOAuthErrors<T>(task: () => Promise<T>): Promise<T> {
  try {
    return await task()
  } catch (error) {
    throw failureForOAuthError(error)
  }
}

function failureForOAuthError(error: unknown): unknown {
  if (error instanceof Failure) return error
  if (error instanceof oauth.AuthorizationResponseError) return failure.externalDenied()
  if (error instanceof oauth.ResponseBodyError)
    return error.error === 'invalid_grant' ? failure.externalExpired() : failure.providerRefused(error)
  if (error instanceof oauth.WWWAuthenticateChallengeError) return failure.providerRefused(error)
  if (error instanceof oauth.OperationProcessingError)
    return VERIFICATION_ERRORS.has(error.code ?? '')
      ? failure.externalInvalid(error)
      : failure.providerBroken(error)
  if (error instanceof oauth.UnsupportedOperationError) return failure.providerBroken(error)
  return error
}

/**
 * Error codes of the OAuth library for an answer that failed verification, for example because its issuer,
 * audience, time or key is wrong.
 */
const VERIFICATION_ERRORS: ReadonlySet<string> = new Set([
  oauth.INVALID_RESPONSE,
  oauth.JWT_CLAIM_COMPARISON,
  oauth.JWT_TIMESTAMP_CHECK,
  oauth.JSON_ATTRIBUTE_COMPARISON,
  oauth.KEY_SELECTION,
])
