/**
 * deploy/compose.yaml, started from the file itself: PostgreSQL, a store, both instances with their command
 * and environment, and nginx with its configuration. They run as processes, not as containers: host names and
 * folders of the file are replaced by those of this machine, and Ceph replaces the store.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { SQL } from 'bun'
import { type Ceph, findCeph, startCeph } from '../support/ceph.ts'
import { commandProcess } from '../support/command.ts'
import {
  type ComposeService,
  deployed,
  ROOT,
  readCompose,
  readContainerfile,
  startDeployed,
} from '../support/compose.ts'
import { useFolder } from '../support/folder.ts'
import { type Environment, inherited } from '../support/host-client.ts'
import { findNginx, type RunningProxy, startNginx } from '../support/nginx.ts'
import { freePort } from '../support/ports.ts'
import { findPostgres, type PostgresServer, startPostgres } from '../support/postgres.ts'
import { head, openRaw } from '../support/raw.ts'
import { signedFetch } from '../support/s3.ts'
import { needsTool } from '../support/tools.ts'
import { eventually } from '../support/wait.ts'

setDefaultTimeout(180_000)
needsTool('postgresql', findPostgres)
needsTool('radosgw', findCeph)
needsTool('nginx-light', findNginx)

const INSTANCES = ['fundus-1', 'fundus-2'] as const
const PASSWORD = 'correct horse battery'
const folder = await useFolder()

let postgres: PostgresServer
let ceph: Ceph
let proxy: RunningProxy
let services: Record<string, ComposeService>
const instances: (ReturnType<typeof startDeployed> & { url: string })[] = []

/** The service's environment on this machine. */
function environmentHere({ environment = {}, volumes = [] }: ComposeService, port: number): Environment {
  const places: [there: string, here: string][] = [
    ['database:5432', `127.0.0.1:${postgres.port}`],
    ['http://store:3900', ceph.place.endpoint],
    ...volumes.map((volume): [string, string] => {
      const [name, path] = volume.split(':') as [string, string]
      return [path, `${folder}/${name}`]
    }),
  ]
  const here = (value: string) => places.reduce((text, [from, to]) => text.replace(from, to), value)
  const all = { ...readContainerfile().env, ...environment }
  const moved = Object.entries(all).map(([name, value]) => [name, here(String(value))])
  return { ...inherited(), ...Object.fromEntries(moved), PORT: String(port), HOST: '127.0.0.1' }
}

beforeAll(async () => {
  ;[postgres, ceph] = await Promise.all([startPostgres({ flushed: true }), startCeph()])
  services = readCompose('compose.yaml', 'many.env.example', {
    ADMIN_PASSWORD: PASSWORD,
    DATABASE_PASSWORD: 'secret',
    S3_ACCESS_KEY_ID: ceph.place.accessKeyId,
    S3_SECRET_ACCESS_KEY: ceph.place.secretAccessKey,
    GARAGE_RPC_SECRET: 'secret',
  }).services
  // What the images of database and store do with their environment.
  await using sql = new SQL(`postgres://fundus@127.0.0.1:${postgres.port}/postgres`, { max: 1 })
  await sql.unsafe(`create database ${services.database?.environment?.POSTGRES_DB}`)
  const bucket = services.store?.environment?.GARAGE_DEFAULT_BUCKET
  await signedFetch(ceph.place, `${ceph.place.endpoint}/${bucket}`, { method: 'PUT' })
  let configuration = deployed('nginx-many.conf')
  for (const name of INSTANCES) {
    const port = freePort()
    const service = services[name]!
    const env = environmentHere(service, port)
    const started = {
      ...startDeployed(service.command!, { cwd: ROOT, env }),
      url: `http://127.0.0.1:${port}`,
    }
    instances.push(started)
    configuration = configuration.replace(`${name}:8080`, `127.0.0.1:${port}`)
    await eventually(`${name} is well`, async () => {
      started.check()
      return (await fetch(`${started.url}/health`).catch(() => null))?.status === 200
    })
  }
  proxy = await startNginx([port => configuration.replace('listen 80;', `listen 127.0.0.1:${port};`)])
})

afterAll(async () => {
  await proxy?.[Symbol.asyncDispose]()
  for (const instance of instances) await instance[Symbol.asyncDispose]()
  await ceph?.[Symbol.asyncDispose]()
  await postgres?.stop()
})

const outside = () => `http://127.0.0.1:${proxy.ports[0]}`

async function newToken(): Promise<string> {
  const json = { 'Content-Type': 'application/json' }
  const body = JSON.stringify({ benutzer: 'admin', passwort: PASSWORD })
  const login = await fetch(`${outside()}/api/dash/login`, { method: 'POST', headers: json, body })
  const cookie = login.headers.get('Set-Cookie')!.split(';')[0]!
  const token = JSON.stringify({ name: 'compose', darf_loeschen: true })
  const made = await fetch(`${outside()}/api/dash/tokens`, {
    method: 'POST',
    headers: { ...json, Cookie: cookie },
    body: token,
  })
  return ((await made.json()) as { token: string }).token
}

test('a file goes up through nginx, is read at both instances, and is gone at both when deleted', async () => {
  const headers = { Authorization: `Bearer ${await newToken()}`, 'X-Path': 'compose/a.txt' }
  const stored = await fetch(`${outside()}/api/upload`, { method: 'POST', headers, body: 'through nginx' })
  expect(stored.status).toBe(200)
  expect(((await stored.json()) as { url: string }).url).toBe('https://media.example.org/f/compose/a.txt')
  const read = (url: string) => fetch(`${url}/f/compose/a.txt`)
  for (const url of [outside(), ...instances.map(({ url }) => url)])
    expect(await (await read(url)).text()).toBe('through nginx')
  const deleted = await fetch(`${outside()}/api/media/compose/a.txt`, { method: 'DELETE', headers })
  expect(deleted.status).toBe(200)
  for (const { url } of instances) expect((await read(url)).status).toBe(404)
})

test('an instance dies: its upload is not repeated at the other one, everything else goes on', async () => {
  const headers = { Authorization: `Bearer ${await newToken()}` }
  // nginx alternates, so each instance is processing one of them.
  const uploads = await Promise.all(
    ['b', 'c'].map(async name => {
      const connection = await openRaw(proxy.ports[0]!)
      const path = `compose/${name}.txt`
      await connection.write(head('POST /api/upload', { ...headers, 'X-Path': path, 'Content-Length': 6 }))
      await connection.write('abc')
      return { connection, path }
    }),
  )
  const staged = () => [...new Bun.Glob('*/staging/**/*').scanSync({ cwd: folder })].length
  await eventually('both uploads have begun', () => staged() >= 2)
  await instances[0]!.kill9()
  const outcomes = await Promise.all(
    uploads.map(async ({ connection, path }) => {
      await connection.write('def')
      const { status } = await connection.answer()
      return { status, stored: (await fetch(`${instances[1]!.url}/f/${path}`)).status }
    }),
  )
  expect(outcomes.sort((one, other) => one.status - other.status)).toEqual([
    { status: 200, stored: 200 },
    { status: 502, stored: 404 },
  ])
  for (let round = 0; round < 6; round++) {
    const again = { ...headers, 'X-Path': `compose/after-${round}.txt` }
    const stored = await fetch(`${outside()}/api/upload`, { method: 'POST', headers: again, body: 'on' })
    expect(stored.status).toBe(200)
    expect((await fetch(`${outside()}/f/compose/after-${round}.txt`)).status).toBe(200)
  }
  for (const { connection } of uploads) connection.close()
})

/**
 * Names in an environment that are listed neither by `fundus help start` nor by the refusal of `fundus
 * settings get` without a name.
 */
async function unknownNames(environment: Environment): Promise<string[]> {
  const env = { ...inherited(), DATA_DIR: `${folder}/names` }
  const said = await Promise.all([
    commandProcess(['help', 'start'], { env }),
    commandProcess(['settings', 'get'], { env }),
  ])
  const known = said.flatMap(({ stdout, stderr }) => `${stdout}${stderr}`.match(/\b[A-Z][A-Z0-9_]+\b/g) ?? [])
  return Object.keys(environment).filter(name => !known.includes(name))
}

test('the files name no setting that the program does not know, and one that it does not know is found', async () => {
  const one = readCompose('compose.one.yaml').services.fundus!
  const all = {
    ...services['fundus-1']!.environment,
    ...services['fundus-2']!.environment,
    ...one.environment,
  }
  expect(await unknownNames({ ...all, ...readContainerfile().env })).toEqual([])
  expect(await unknownNames({ ...all, CASHE_MB: '1' })).toEqual(['CASHE_MB'])
})

test('database, store and instances agree on names, keys and volumes; PostgreSQL knows its settings', async () => {
  const { environment: env, command: same } = services['fundus-1']!
  expect(services['fundus-2']!.environment).toEqual(env!)
  expect(same).toEqual(readContainerfile().command)
  const url = new URL(env!.DATABASE_URL!)
  expect(services.database?.environment).toEqual({
    POSTGRES_USER: url.username,
    POSTGRES_PASSWORD: url.password,
    POSTGRES_DB: url.pathname.slice(1),
  })
  expect(services.store?.environment).toMatchObject({
    GARAGE_DEFAULT_BUCKET: env!.S3_BUCKET,
    GARAGE_DEFAULT_ACCESS_KEY: env!.S3_ACCESS_KEY_ID,
    GARAGE_DEFAULT_SECRET_KEY: env!.S3_SECRET_ACCESS_KEY,
  })
  expect(deployed('garage.toml')).toContain(`s3_region = "${env!.S3_REGION}"`)
  const given = services
    .database!.command!.filter(word => word.includes('='))
    .map(word => word.split('=')[0]!)
  await using sql = new SQL(`postgres://fundus@127.0.0.1:${postgres.port}/postgres`, { max: 1 })
  const known = await sql`select name from pg_settings where name in ${sql(given)}`
  expect(known.length).toBe(given.length)
  // Instances share only the backup folder.
  const [one, other] = INSTANCES.map(name => services[name]!.volumes!)
  expect(one!.filter(volume => other!.includes(volume))).toEqual([`backup:${env!.SICHERUNG_ZIEL}`])
})
