/** Sign-in with Discord: for the members of one server, by their roles there. */
import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { answered, expectError } from '../support/api.ts'
import { ADMIN_ENV, dash, isSignedIn, sessionOf } from '../support/dashboard.ts'
import { DISCORD_APP, openDiscord } from '../support/discord.ts'
import { answeredBy, begun, comeBack, signInAt } from '../support/external-sign-in.ts'
import { signedInService } from '../support/shared-service.ts'

const discord = openDiscord()
afterAll(() => discord[Symbol.dispose]())

const [HELPERS, LEADERS] = ['111111111111111111', '222222222222222222']
const on = signedInService({
  env: {
    ...ADMIN_ENV,
    FUNDUS_TEST_DISCORD: discord.origin,
    DISCORD_CLIENT_ID: DISCORD_APP.id,
    DISCORD_CLIENT_SECRET: DISCORD_APP.secret,
    DISCORD_SERVER: DISCORD_APP.server,
    DISCORD_REGELN: JSON.stringify([
      { rolle_id: LEADERS, rolle: 'betreiber' },
      { rolle_id: HELPERS, rolle: 'redaktion', ordner: ['helfer'] },
    ]),
  },
})

let members = 0
beforeEach(() => {
  const id = String(300_000_000_000_000_000n + BigInt(++members))
  discord.state.member = { id, username: `nelly${members}`, roles: [HELPERS] }
  discord.state.limited = {}
  discord.asked.length = 0
})

const me = async (session: string) =>
  answered<{ benutzer: string; rolle: string; ordner: string[] | null }>(
    await dash(on.service, 'ich', { session }),
  )

test('asks for no more than it needs, and sends nobody elsewhere', async () => {
  const { address } = await begun(on.service, 'discord')
  expect(address.origin + address.pathname).toBe(`${discord.origin}/oauth2/authorize`)
  expect(address.searchParams.get('scope')).toBe('identify guilds.members.read')
  expect(String(address)).not.toContain(DISCORD_APP.secret)
})

describe('a member', () => {
  test('gets role and folders by the first rule that matches', async () => {
    Object.assign(discord.state.member, { global_name: 'Nelly', nick: 'Nelly vom Verein' })
    const session = sessionOf(await signInAt(on.service, 'discord'))
    expect(await me(session)).toMatchObject({
      benutzer: 'Nelly vom Verein',
      rolle: 'redaktion',
      ordner: ['helfer'],
    })
    discord.state.member.roles = [HELPERS, LEADERS]
    expect((await me(sessionOf(await signInAt(on.service, 'discord')))).rolle).toBe('betreiber')
  })

  test('without such a role, or who has left, is refused and loses the sessions', async () => {
    for (const roles of [[], null]) {
      discord.state.member.roles = [HELPERS]
      const session = sessionOf(await signInAt(on.service, 'discord'))
      discord.state.member.roles = roles
      await expectError(await signInAt(on.service, 'discord'), 403, /keine Regel/)
      expect(await isSignedIn(on.service, session)).toBe(false)
    }
  })

  test('of no role at all gets in where the rule names the server itself', async () => {
    const rules = [{ rolle_id: DISCORD_APP.server, rolle: 'ansicht' }]
    const save = (DISCORD_REGELN: unknown) =>
      dash(on.service, 'einstellungen', { method: 'PUT', json: { DISCORD_REGELN }, session: on.session })
    await answered(await save(rules))
    discord.state.member.roles = []
    expect((await me(sessionOf(await signInAt(on.service, 'discord')))).rolle).toBe('ansicht')
    discord.state.member.roles = null
    await expectError(await signInAt(on.service, 'discord'), 403)
    await answered(await save(null))
  })
})

describe('refused', () => {
  test('a code that was used, and one of another sign-in', async () => {
    const { address, cookie } = await begun(on.service, 'discord')
    const answer = await answeredBy(address)
    expect((await comeBack(on.service, 'discord', answer, { cookie })).status).toBe(303)
    await expectError(await comeBack(on.service, 'discord', answer, { cookie }), 400, /schon benutzt/)
    const mine = await begun(on.service, 'discord')
    const theirs = await answeredBy((await begun(on.service, 'discord')).address)
    const mixed = await answeredBy(mine.address)
    mixed.set('code', theirs.get('code')!)
    // PKCE: a code is valid only in the browser that began the sign-in.
    await expectError(
      await comeBack(on.service, 'discord', mixed, { cookie: mine.cookie }),
      400,
      /abgelaufen/,
    )
  })

  test('a sign-in that was begun at the other provider', async () => {
    const { address, cookie } = await begun(on.service, 'discord')
    await expectError(await comeBack(on.service, 'oidc', await answeredBy(address), { cookie }), 400)
  })
})

describe('a rate limit of Discord', () => {
  const MEMBER = `/api/v10/users/@me/guilds/${DISCORD_APP.server}/member`

  test.each(['/api/v10/oauth2/token', '/api/v10/users/@me', MEMBER])(
    'that passes soon is waited for: %s',
    async path => {
      discord.state.limited = { [path]: [0.05] }
      expect((await signInAt(on.service, 'discord')).status).toBe(303)
      expect(discord.asked.filter(each => each === path)).toHaveLength(2)
    },
  )

  test.each([[[60]], [[0.05, 7]]])('that lasts is told, with the time to wait: %j', async seconds => {
    discord.state.limited = { [MEMBER]: [...seconds] }
    const answer = await signInAt(on.service, 'discord')
    await expectError(answer, 503, /überlastet/)
    expect(answer.headers.get('retry-after')).toBe(String(seconds.at(-1)))
    expect(discord.asked.filter(each => each === MEMBER)).toHaveLength(seconds.length)
  })
})
