/**
 * Sign-in with Discord for the members of one Discord server, by their roles there. Discord is not used as an
 * OpenID Connect provider, because only its API returns the roles. The API is called with the token of the
 * person who signs in; no bot is needed. https://docs.discord.com/developers/topics/oauth2,
 * …/resources/user#get-current-user-guild-member
 */
import { setTimeout as sleep } from 'node:timers/promises'
import * as oauth from 'oauth4webapi'
import { z } from 'zod'
import { DISCORD_ADDRESS, type DiscordRule } from '../../contract/accounts/external.ts'
import { SECOND } from '../../contract/values/units.ts'
import { failure } from '../../errors/errors.ts'
import { demandedPause } from '../notify/pauses.ts'
import { authorizationUrl, convertOAuthErrors } from './oidc.ts'
import type { ClaimRule, Provider } from './provider.ts'
import type { ProviderFetch } from './provider-requests.ts'

const SCOPES = 'identify guilds.members.read'

/**
 * Maximum milliseconds to wait when Discord limits the rate of requests. If it demands a longer pause, the
 * sign-in fails.
 */
const MAX_RATE_LIMIT_PAUSE = 3 * SECOND

/** The claim that every rule for Discord checks. */
const ROLES_CLAIM = 'roles'

const userSchema = z.object({ id: z.string(), username: z.string(), global_name: z.string().nullish() })
const memberSchema = z.object({ roles: z.array(z.string()), nick: z.string().nullish() })

interface DiscordParts {
  clientId: string
  clientSecret: string
  serverId: string
  rules: readonly DiscordRule[]
  redirectUri: string
  /** Base address of Discord; tests replace it. */
  address: string
  fetch: ProviderFetch
  now: () => number
}

export function createDiscord(parts: DiscordParts): Provider {
  const { serverId, address, now } = parts
  const apiUrl = `${address}/api/v10`
  const endpoints: oauth.AuthorizationServer = {
    issuer: address,
    authorization_endpoint: `${address}/oauth2/authorize`,
    token_endpoint: `${apiUrl}/oauth2/token`,
  }
  const client: oauth.Client = { client_id: parts.clientId }

  /**
   * Like `parts.fetch`, but after status 429 it waits as long as Discord demands, and tries once more.
   * Rejects if the demanded pause is longer than `MAX_RATE_LIMIT_PAUSE`, or if the second answer has status
   * 429, too.
   */
  const fetchWithRetry: ProviderFetch = async (url, request) => {
    const firstAnswer = await parts.fetch(url, request)
    if (firstAnswer.status !== 429) return firstAnswer
    const pause = await pauseOf(firstAnswer)
    if (pause > MAX_RATE_LIMIT_PAUSE) throw failure.providerBusy(pause)
    await sleep(pause, undefined, { ...(request.signal && { signal: request.signal }) })
    const secondAnswer = await parts.fetch(url, request)
    if (secondAnswer.status === 429) throw failure.providerBusy(await pauseOf(secondAnswer))
    return secondAnswer
  }
  const pauseOf = async (answer: Response) =>
    demandedPause(answer.headers.get('Retry-After'), await answer.text(), now())

  const callApi = (path: string, token: string, signal: AbortSignal) =>
    fetchWithRetry(`${apiUrl}${path}`, { headers: { Authorization: `Bearer ${token}` }, signal })

  async function fetchAccessToken(
    returnQuery: URLSearchParams,
    expectedValues: { state: string; verifier: string },
    signal: AbortSignal,
  ) {
    const parameters = oauth.validateAuthResponse(endpoints, client, returnQuery, expectedValues.state)
    const options = {
      [oauth.customFetch]: fetchWithRetry,
      // `parts.fetch` decides which addresses may be plain http.
      [oauth.allowInsecureRequests]: true,
      signal,
    }
    const clientAuthentication = oauth.ClientSecretPost(parts.clientSecret)
    const tokenAnswer = await oauth.authorizationCodeGrantRequest(
      endpoints,
      client,
      clientAuthentication,
      parameters,
      parts.redirectUri,
      expectedValues.verifier,
      options,
    )
    return (await oauth.processAuthorizationCodeResponse(endpoints, client, tokenAnswer)).access_token
  }

  return {
    origin: DISCORD_ADDRESS,
    rules: parts.rules.map(
      ({ rolle_id, rolle, ordner = null }): ClaimRule => ({
        claim: ROLES_CLAIM,
        value: rolle_id,
        rights: { role: rolle, folders: ordner },
      }),
    ),

    createAuthorizationUrl: pendingSignIn =>
      authorizationUrl(endpoints.authorization_endpoint!, pendingSignIn, {
        client_id: parts.clientId,
        redirect_uri: parts.redirectUri,
        scope: SCOPES,
        // A person who has agreed before is not asked again.
        prompt: 'none',
      }),

    identify: (returnQuery, pendingSignIn, deadline) =>
      convertOAuthErrors(async () => {
        const token = await fetchAccessToken(returnQuery, pendingSignIn, deadline)
        const user = await parseAnswer(userSchema, await callApi('/users/@me', token, deadline))
        const memberAnswer = await callApi(`/users/@me/guilds/${serverId}/member`, token, deadline)
        // For a person who is not a member, the API answers 404; such a person has no roles.
        const membership = memberAnswer.status === 404 ? null : await parseAnswer(memberSchema, memberAnswer)
        const { id: subject, username, global_name } = user
        return {
          subject,
          names: [membership?.nick, global_name, username, subject],
          // The role that all members have (`@everyone`) has the server's id. The API does not list this
          // role, so it is added here.
          claims: {
            ...user,
            ...membership,
            [ROLES_CLAIM]: membership ? [...membership.roles, serverId] : [],
          },
        }
      }),
  }
}

async function parseAnswer<Schema extends z.ZodType>(
  schema: Schema,
  answer: Response,
): Promise<z.output<Schema>> {
  const text = await answer.text()
  if (answer.status === 401 || answer.status === 403)
    throw failure.providerRefused(new Error(text.slice(0, 200)))
  if (answer.status !== 200) throw failure.providerBroken(new Error(`status ${answer.status}`))
  try {
    return schema.parse(JSON.parse(text))
  } catch (error) {
    throw failure.providerBroken(error)
  }
}
