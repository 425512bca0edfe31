/** Every operator's command works on PostgreSQL and an object store, beside a running instance. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { SQL } from 'bun'
import { store } from '../support/api.ts'
import { ADMIN_ENV } from '../support/dashboard.ts'
import { openFolder } from '../support/folder.ts'
import { commandHost } from '../support/host-client.ts'
import { type Service, startService } from '../support/service.ts'
import { emptyPlace } from '../support/shared-place.ts'

setDefaultTimeout(180_000)
let service: Service
let target: Awaited<ReturnType<typeof openFolder>>

beforeAll(async () => {
  target = await openFolder()
  const { env } = await emptyPlace()
  service = await startService({
    mode: 'embedded',
    env: { ...ADMIN_ENV, ...env, SICHERUNG_ZIEL: target.path },
  })
  await store(service, await service.createToken('--name', 'first'), 'a.txt', 'a')
})
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  await target?.[Symbol.asyncDispose]()
})
// Disposed of after the service, because it is declared first.

test('fundus token delete', async () => {
  const id = /^(\w+) {2}first$/m.exec((await service.command('token', 'list')).stdout)![1]!
  const spare = await service.command('token', 'create', '--name', 'spare')
  expect(spare.code).toBe(0)
  const spareId = /^(\w+) {2}spare$/m.exec((await service.command('token', 'list')).stdout)![1]!
  expect((await service.command('token', 'delete', spareId, '--yes')).code).toBe(0)
  const left = (await service.command('token', 'list')).stdout
  expect([left.includes(id), left.includes(spareId)]).toEqual([true, false])
})

test.each<[command: string, says: RegExp, code?: number]>([
  ['token create --name second', /media_[\w-]{43}\n/],
  ['token list', /second\n[\s\S]*first\n/],
  ['token delete 0000000000000000', /Dieses Token gibt es nicht/, 2],
  ['user list', /admin/],
  ['user create', /Es fehlt|Name|--/, 2],
  ['settings set DIENST Gemeinsam', /DIENST ist gespeichert/],
  ['settings get DIENST', /^Gemeinsam$/m],
  ['settings list', /DIENST +\S+ +Gemeinsam/],
  ['settings unset DIENST', /nicht mehr gespeichert/],
  ['check', /Geprüft: 1 Dateien/],
  ['check --schnell --json', /"ok":true/],
  ['sweep', /"removed":\[\]/],
  ['backup', /\/fundus-[^/]*\.tar: /],
  ['backup --nur-liste --json', /"ok":true/],
  ['restore --vorher-entfernen', /nichts aufgehoben/],
  ['rebuild', /lässt sich die Datenbank nicht aufbauen/, 2],
  ['migrate', /--to/, 2],
])('fundus %s', async (typed, says, code = 0) => {
  const { stdout, stderr, code: ended } = await service.command(...typed.split(' '))
  expect([ended, stdout + stderr]).toEqual([code, expect.stringMatching(says)])
})

test.each(['check', 'backup', 'token list'])(
  'fundus %s makes no instance in an empty database',
  async typed => {
    const { env, databaseUrl } = await emptyPlace()
    const args = typed.split(' ')
    const { code, stderr } = await (await commandHost()).command({
      args,
      env: { ...service.env, ...env },
      input: '',
    })
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('Bitte DATABASE_URL') })
    await using sql = new SQL(databaseUrl, { max: 1 })
    const [{ none }] = await sql`select to_regnamespace('fundus') is null as none`
    expect(none).toBe(true)
  },
)
