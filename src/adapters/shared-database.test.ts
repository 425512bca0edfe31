import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { SQL } from 'bun'
import { findPostgres, type PostgresServer, startPostgres } from '../../test/support/postgres.ts'
import { startPostgresProxy } from '../../test/support/postgres-proxy.ts'
import { findTool, needsTool } from '../../test/support/tools.ts'
import { createLog } from '../base/log.ts'
import { openSharedDatabase } from './shared-database.ts'

setDefaultTimeout(60_000)
needsTool('postgresql', findPostgres)
let server: PostgresServer
beforeAll(async () => {
  if (findTool('postgresql', findPostgres)) server = await startPostgres()
})
afterAll(() => server?.stop())
const log = createLog({ level: 'error', isHumanReadable: true, write: () => {} })
const refusal = (url: string, unflushed = true) =>
  openSharedDatabase({ url, log, acceptsUnflushed: unflushed }).then(
    database => database.close().then(() => 'opened'),
    (error: Error) => `${error.constructor.name}: ${error.message}`,
  )

test('a database that cannot be used is refused with a sentence that tells why, and never with the password', async () => {
  const url = await server.createDatabase()
  const { host, pathname } = new URL(url)
  const at = (reason: string, place = `${host}${pathname}`) =>
    `ConfigError: Die Datenbank ${place} ist nicht benutzbar: ${reason}.`
  expect(await refusal(url, false)).toBe(
    at('mit fsync = off und synchronous_commit = off überlebt Bestätigtes keinen Stromausfall'),
  )
  expect(await refusal(url)).toBe('opened')
  await using administrator = new SQL(url)
  await administrator.unsafe("insert into fundus.migration values ('9999-from-the-future', 0)")
  expect(await refusal(url)).toBe(at('sie stammt von einer neueren Version von Fundus und blieb unverändert'))
  const absent = url.replace(pathname, '/nowhere').replace(/\/\/.*@/, '//fundus:geheim@')
  expect(await refusal(absent)).toBe(at('es gibt sie auf diesem Server nicht', `${host}/nowhere`))
  expect(await refusal('postgres://fundus:geheim@127.0.0.1:1/x')).toBe(
    at('sie antwortet nicht', '127.0.0.1:1/x'),
  )
  await administrator.unsafe('create role guest login')
  await administrator.unsafe('revoke create on schema public from public')
  const guest = (await server.createDatabase()).replace(/\/\/.*@/, '//guest@')
  expect(await refusal(guest)).toContain('fehlt das Recht, dort ein Schema')
})

test('behind a connection pooler that drops the settings of a connection the start is refused with a sentence', async () => {
  const url = await server.createDatabase()
  await using pooler = await startPostgresProxy({ port: server.port, dropSettings: true })
  await using passing = await startPostgresProxy({ port: server.port })
  const through = ({ port }: { port: number }) => refusal(url.replace(String(server.port), String(port)))
  expect(await through(pooler)).toContain('verwirft ein Programm die Einstellungen der Verbindung')
  await using administrator = new SQL(url)
  expect(await administrator.unsafe("select 1 from pg_tables where tablename = 'media'")).toHaveLength(0)
  expect(await through(passing)).toBe('opened')
})
