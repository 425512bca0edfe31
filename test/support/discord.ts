/**
 * Discord's documented API on loopback, as far as signing in needs it and just as strict: the authorization
 * code grant, the two routes about the person who signs in, their scopes, and rate limits.
 * https://docs.discord.com/developers/topics/oauth2
 */
import { keepSecret } from './secrets.ts'

export const DISCORD_APP = {
  id: '1122334455667788990',
  secret: keepSecret('the secret of the application', 'a-secret-of-the-application'),
  server: '998877665544332211',
}

const UNKNOWN_GUILD = { message: 'Unknown Guild', code: 10004 }
const UNAUTHORIZED = { message: '401: Unauthorized', code: 0 }
const SNOWFLAKE = /^[0-9]{17,20}$/

export interface Member {
  id: string
  username: string
  global_name?: string | null
  nick?: string | null
  /** Null: not a member of the server. */
  roles: readonly string[] | null
}

export function openDiscord() {
  const codes = new Map<string, { redirectUri: string; scope: string; challenge: string | null }>()
  const tokens = new Map<string, string>()
  const state: { member: Member; limited: Record<string, number[]> } = {
    member: { id: '80351110224678912', username: 'nelly', roles: [] },
    /** By path: the seconds of `Retry-After` of the next answers, in order. */
    limited: {},
  }
  const asked: string[] = []

  function authorize(query: URLSearchParams): Response {
    const given = Object.fromEntries(query)
    const isRight = given.response_type === 'code' && given.client_id === DISCORD_APP.id && given.redirect_uri
    if (!isRight || !given.scope)
      return Response.json({ message: 'Invalid Form Body', code: 50035 }, { status: 400 })
    const code = crypto.randomUUID().replaceAll('-', '')
    const challenge = given.code_challenge_method === 'S256' ? (given.code_challenge ?? null) : null
    codes.set(code, { redirectUri: given.redirect_uri!, scope: given.scope, challenge })
    const back = new URL(given.redirect_uri!)
    back.search = String(new URLSearchParams({ code, ...(given.state && { state: given.state }) }))
    return Response.redirect(back.href, 302)
  }

  async function token(request: Request): Promise<Response> {
    // JSON is not permitted here.
    if (!request.headers.get('content-type')?.startsWith('application/x-www-form-urlencoded'))
      return Response.json({ error: 'invalid_request' }, { status: 400 })
    const given = Object.fromEntries(new URLSearchParams(await request.text()))
    if (given.client_id !== DISCORD_APP.id || given.client_secret !== DISCORD_APP.secret)
      return Response.json({ error: 'invalid_client' }, { status: 401 })
    const granted = codes.get(given.code ?? '')
    codes.delete(given.code ?? '')
    const verifier = Buffer.from(given.code_verifier ?? '')
    const challenge = Buffer.from(await crypto.subtle.digest('SHA-256', verifier)).toString('base64url')
    const isProven = granted?.challenge == null || granted.challenge === challenge
    if (
      !granted ||
      given.grant_type !== 'authorization_code' ||
      given.redirect_uri !== granted.redirectUri ||
      !isProven
    )
      return Response.json(
        { error: 'invalid_grant', error_description: 'Invalid "code" in request.' },
        { status: 400 },
      )
    const access = crypto.randomUUID()
    tokens.set(access, granted.scope)
    const answer = {
      access_token: access,
      token_type: 'Bearer',
      expires_in: 604_800,
      refresh_token: 'refresh',
    }
    return Response.json({ ...answer, scope: granted.scope })
  }

  function about(request: Request, path: string): Response {
    const scopes = tokens.get(/^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '')?.[1] ?? '')
    const { member } = state
    const { id, username, global_name = null } = member
    const user = { id, username, global_name, discriminator: '0', avatar: null }
    if (scopes === undefined) return Response.json(UNAUTHORIZED, { status: 401 })
    if (path === '/users/@me')
      return scopes.includes('identify') ? Response.json(user) : Response.json(UNAUTHORIZED, { status: 401 })
    const guild = /^\/users\/@me\/guilds\/([^/]+)\/member$/.exec(path)?.[1]
    if (!guild || !SNOWFLAKE.test(guild))
      return Response.json({ message: '404: Not Found', code: 0 }, { status: 404 })
    if (!scopes.includes('guilds.members.read')) return Response.json(UNAUTHORIZED, { status: 401 })
    if (guild !== DISCORD_APP.server || member.roles === null)
      return Response.json(UNKNOWN_GUILD, { status: 404 })
    const { roles, nick = null } = member
    return Response.json({
      user,
      nick,
      avatar: null,
      roles,
      joined_at: '2024-01-01T00:00:00+00:00',
      deaf: false,
      mute: false,
    })
  }

  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const url = new URL(request.url)
      asked.push(url.pathname)
      const seconds = state.limited[url.pathname]?.shift()
      if (seconds !== undefined)
        return Response.json(
          { message: 'You are being rate limited.', retry_after: seconds, global: false },
          {
            status: 429,
            headers: { 'Retry-After': String(Math.ceil(seconds)), 'X-RateLimit-Scope': 'user' },
          },
        )
      if (url.pathname === '/oauth2/authorize') return authorize(url.searchParams)
      if (!url.pathname.startsWith('/api/v10/')) return new Response(null, { status: 404 })
      const path = url.pathname.slice('/api/v10'.length)
      return path === '/oauth2/token' && request.method === 'POST' ? token(request) : about(request, path)
    },
  })
  return {
    origin: `http://127.0.0.1:${server.port}`,
    asked,
    state,
    [Symbol.dispose]() {
      void server.stop(true)
    },
  }
}
