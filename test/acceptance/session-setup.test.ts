/**
 * The first account: with the code in the log, from the environment, with a command; and the operator's
 * commands.
 */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { expectError } from '../support/api.ts'
import {
  ADMIN,
  ADMIN_ENV,
  commandWithInput,
  dash,
  isSignedIn,
  processWithInput,
  sessionOf,
  setupCode,
  signIn,
} from '../support/dashboard.ts'
import { embeddedOnly } from '../support/modes.ts'
import { freePort } from '../support/ports.ts'
import { type Service, startService } from '../support/service.ts'
import { eventually } from '../support/wait.ts'

setDefaultTimeout(180_000)

const isOpen = async (service: Service) => ((await setupState(service)) as { offen: boolean }).offen
const complete = (service: Service, code: string, account: object = ADMIN) =>
  dash(service, 'einrichtung', { json: { code, ...account } })

const setupState = async (service: Service) => (await dash(service, 'einrichtung')).json()
/** A passkey can sign in at `localhost`; no provider is configured. */
const NOTHING_ELSEWHERE = { passkey: true, anbieter: [] }

describe('without an account', () => {
  test('the log shows a code; with it the first account is made and signed in', async () => {
    await using service = await startService()
    const code = setupCode(service)!
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/)
    expect(await setupState(service)).toEqual({ offen: true, anmeldung: NOTHING_ELSEWHERE })
    const response = await complete(service, code)
    expect(response.status).toBe(200)
    expect(await response.clone().json()).toEqual({ benutzer: 'admin' })
    expect(await isSignedIn(service, sessionOf(response))).toBe(true)
    expect(await setupState(service)).toEqual({ offen: false, anmeldung: NOTHING_ELSEWHERE })
    await signIn(service)
    await expectError(await complete(service, code, { ...ADMIN, benutzer: 'second' }), 409)
    await service.restart()
    const shown = service.logs().filter(line => String(line.message).includes('Einrichtungscode'))
    expect(shown).toHaveLength(service.instances.length)
  })

  test('a wrong code makes none, and after five the right one has to wait', async () => {
    await using service = await startService()
    for (let n = 0; n < 5; n++) await expectError(await complete(service, 'AAAA-BBBB-CCCC'), 403)
    const locked = await complete(service, setupCode(service)!)
    expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(0)
    await expectError(locked, 429)
    expect(await isOpen(service)).toBe(true)
  })

  test.each([
    ['a short password', { ...ADMIN, passwort: '123456789' }],
    ['no name', { ...ADMIN, benutzer: ' ' }],
    ['no password', { benutzer: 'admin' }],
  ])('%s: 400, still open, and not counted as a guess', async (_, account) => {
    await using service = await startService()
    const code = setupCode(service)!
    for (let n = 0; n < 6; n++) await expectError(await complete(service, code, account), 400)
    expect((await complete(service, code)).status).toBe(200)
  })

  test('no code at all is 400', async () => {
    await using service = await startService()
    await expectError(await dash(service, 'einrichtung', { json: ADMIN }), 400, /code/)
  })

  test('one code until it is used: a restart shows the same one again', async () => {
    await using service = await startService()
    const code = setupCode(service)!
    await service.restart()
    const shown = service.logs().filter(line => String(line.message).includes('Einrichtungscode'))
    expect([shown.length, setupCode(service)]).toEqual([2 * service.instances.length, code])
    expect((await complete(service, code.toLowerCase().replaceAll('-', ''))).status).toBe(200)
  })

  test('the code is a warning, so that LOG_LEVEL=warn shows it too', async () => {
    await using service = await startService()
    const { level } = service.logs().find(line => String(line.message).includes('Einrichtungscode'))!
    expect(level).toBe('warn')
  })

  test('of ten at once exactly one wins', async () => {
    await using service = await startService({ env: { TRUST_PROXY: '127.0.0.1' } })
    const code = setupCode(service)!
    const racing = Array.from({ length: 10 }, (_, n) =>
      dash(service, 'einrichtung', {
        json: { code, ...ADMIN, benutzer: `admin ${n}` },
        headers: { 'X-Forwarded-For': `192.0.2.${n}` },
      }),
    )
    const statuses = (await Promise.all(racing)).map(response => response.status).sort()
    expect(statuses).toEqual([200, ...Array(9).fill(409)])
  })

  test('a second start on the same folder leaves the code of the first valid, and shows it too', async () => {
    await using one = await startService()
    await using two = await startService({ dataDir: one.dataDir })
    expect(setupCode(two)).toBe(setupCode(one)!)
    await expectError(await complete(two, 'AAAA-BBBB-CCCC'), 403)
    expect((await complete(one, setupCode(one)!)).status).toBe(200)
    await signIn(two)
    await expectError(await complete(two, setupCode(two)!, { ...ADMIN, benutzer: 'second' }), 409)
  })
})

describe('ADMIN_PASSWORD', () => {
  embeddedOnly.oneProcess(
    'from the first answer on the account can sign in, and /health is 200 only then',
    async () => {
      const port = freePort()
      const starting = startService({ env: { ...ADMIN_ENV, PORT: String(port) } })
      const ask = async (route: string, init?: RequestInit) => {
        const response = await fetch(`http://127.0.0.1:${port}${route}`, init).catch(() => null)
        if (response?.status === 503) await expectError(response, 503, /startet/)
        return response?.status === 200 || response?.status === 401 ? await response.json() : null
      }
      const seen = new Set<string>()
      await eventually(
        'the service is healthy',
        async () => {
          const setup = await ask('/api/dash/einrichtung')
          const health = await ask('/health')
          const login = await ask('/api/dash/login', { method: 'POST', body: JSON.stringify(ADMIN) })
          for (const answer of [setup, login]) if (answer) seen.add(JSON.stringify(answer))
          if (health) expect([health, login]).toEqual([{ ok: true }, { benutzer: 'admin' }])
          return health !== null
        },
        20_000,
      ).finally(async () => (await starting)[Symbol.asyncDispose]())
      seen.delete(JSON.stringify({ offen: false, anmeldung: NOTHING_ELSEWHERE }))
      expect([...seen]).toEqual(['{"benutzer":"admin"}'])
    },
  )

  test('makes the first account at start; there is no code', async () => {
    await using service = await startService({ env: ADMIN_ENV })
    expect(setupCode(service)).toBeUndefined()
    expect(await isOpen(service)).toBe(false)
    await signIn(service)
  })

  test('of an account called admin, when nothing else is said', async () => {
    await using service = await startService({ env: { ADMIN_PASSWORD: ADMIN.passwort } })
    await signIn(service)
  })

  test('changes nothing once there is an account', async () => {
    await using service = await startService({ env: ADMIN_ENV })
    await service.restart({ ADMIN_USER: 'other', ADMIN_PASSWORD: 'another password' })
    await signIn(service)
    const json = { benutzer: 'other', passwort: 'another password' }
    await expectError(await dash(service, 'login', { json }), 401)
  })

  test.each([
    ['too short', { ADMIN_PASSWORD: 'short pw' }],
    ['with a name that cannot be', { ADMIN_USER: 'a\tb', ADMIN_PASSWORD: ADMIN.passwort }],
  ])('%s: the service says so, does not start, and shows no password', async (_, env) => {
    const error = await startService({ env }).then(
      () => new Error('started'),
      (reason: Error) => reason,
    )
    expect(error.message).toMatch(/ADMIN_(PASSWORD|USER)/)
    expect(error.message).not.toContain(env.ADMIN_PASSWORD)
  })
})

describe('fundus user', () => {
  test('create, list, password, delete', async () => {
    await using service = await startService()
    const max = ['user', 'create', '--name', 'Max']
    expect((await processWithInput(service, 'words of 12\n', ...max)).code).toBe(0)
    expect(await isOpen(service)).toBe(false)
    const eve = ['user', 'create', '--name', 'Eve', '--password-stdin']
    expect((await commandWithInput(service, 'words of 12\n', ...eve)).code).toBe(0)
    const session = await signIn(service, { benutzer: 'max', passwort: 'words of 12' })
    const list = await service.command('user', 'list', '--json')
    const accounts = JSON.parse(list.stdout) as { name: string }[]
    expect(accounts.map(({ name }) => name)).toEqual(['Max', 'Eve'])
    expect(list.stdout).not.toContain('argon2')
    expect((await service.command('user', 'list')).stdout).toMatch(/Max .*\n.*Eve /)
    expect((await service.command('user', 'delete', '--name', 'MAX')).code).toBe(0)
    expect(await isSignedIn(service, session)).toBe(false)
    expect((await service.command('user', 'delete', '--name', 'Eve')).stderr).toContain('letzte')
    await signIn(service, { benutzer: 'eve', passwort: 'words of 12' })
  })

  test('the first one ends the set-up: its code is void', async () => {
    await using service = await startService()
    await commandWithInput(service, 'words of 12', 'user', 'create', '--name', 'max')
    await expectError(await complete(service, setupCode(service)!), 409)
  })

  test.each([
    ['no name', 'words of 12', ['user', 'create']],
    ['an empty name', 'words of 12', ['user', 'create', '--name', ' ']],
    ['a name that is taken', 'words of 12', ['user', 'create', '--name', 'ADMIN']],
    ['a short password', 'short', ['user', 'create', '--name', 'x']],
    ['no password', '', ['user', 'create', '--name', 'x']],
    ['a password as an argument', '', ['user', 'create', '--name', 'x', '--password', 'words of 12']],
    ['a new password for nobody', 'words of 12', ['user', 'password', '--name', 'nobody']],
    ['a short new password', 'short', ['user', 'password', '--name', 'admin']],
    ['deleting nobody', '', ['user', 'delete', '--name', 'nobody']],
    ['deleting the last one', '', ['user', 'delete', '--name', 'admin']],
  ])('%s ends with an error and changes nothing', async (_, input, args) => {
    await using service = await startService({ env: ADMIN_ENV })
    const session = await signIn(service)
    const { code, stdout, stderr } = await commandWithInput(service, input, ...args)
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toMatch(/^fundus: [^\n]+\n$/)
    expect(await isSignedIn(service, session)).toBe(true)
    expect(await (await dash(service, 'benutzer', { session })).json()).toHaveLength(1)
  })
})
