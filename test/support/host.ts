/**
 * A process that holds services for the tests, each with its own folder, port, environment, clock and log
 * file, or that runs operators' commands: both take a fraction of the time that a process of their own takes.
 * The tests control it over HTTP on loopback; it ends when its standard input is closed, so with the process
 * that started it. In test/support only this file imports the source of the service.
 */
import { closeSync, openSync, writeSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SQL } from 'bun'
import { type Adapters, openAdapters } from '../../src/adapters/adapters.ts'
import { newId } from '../../src/base/ids.ts'
import { createLog } from '../../src/base/log.ts'
import { readConfig } from '../../src/config/config.ts'
import { DELAYS } from '../../src/config/delays.ts'
import { byLimitName } from '../../src/contract/accounts/token-limits.ts'
import { newToken } from '../../src/contract/accounts/tokens.ts'
import { DATABASE_FILE } from '../../src/database/sqlite/file.ts'
import type { Argon } from '../../src/features/session/sign-in/passwords.ts'
import { createLastUseRecorder } from '../../src/features/tokens/last-used.ts'
import { createTokens } from '../../src/features/tokens/tokens.ts'
import { readBuiltFiles } from '../../src/features/web/built-files.ts'
import { SINGLE_PROCESS } from '../../src/features/workers.ts'
import { runCommandLine } from '../../src/program/command-line.ts'
import { DASHBOARD_DIST_FOLDER } from '../../src/program/commands/build-dashboard.ts'
import { parseOptions } from '../../src/program/commands/options.ts'
import { LIMIT_OPTIONS, parseLimit } from '../../src/program/commands/token-limits.ts'
import type { RunningService } from '../../src/service/main.ts'
import { RESERVE_FILE } from '../../src/storage/local/reserve.ts'
import { writeNewDatabase } from '../../src/testing/new-database.ts'
import type { CommandResult } from './command.ts'
import { type Forwarder, startForwarder } from './forwarder.ts'
import type { CommandOrder, StartOrder, TokenOrder } from './host-client.ts'
import { type Databases, databasesAt } from './postgres.ts'
import { decoderOrSpare } from './spare-decoders.ts'

/**
 * Half of the tests sign in; the cost of a real hash is tested in
 * src/features/session/sign-in/passwords.test.ts.
 */
const cheapArgon: Argon = {
  hash: password => Bun.password.hash(password, { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 }),
  verify: Bun.password.verify,
}

interface Running {
  service: RunningService
  log: number
  adapters: Pick<Adapters, 'database' | 'now'>
}
const running = new Map<number, Running>()
let started = 0

/** Read once, because nobody builds the dashboard during a run. */
let builtFiles: ReturnType<typeof readBuiltFiles> | undefined

async function start({ env, logFile, clockAhead, delays, isTemporary }: StartOrder) {
  const log = openSync(logFile, 'a')
  try {
    // Imported only here: a process that runs commands does not need the whole service.
    const { startService } = await import('../../src/service/main.ts')
    if (!env.DATABASE_URL) await makeDatabase(env.DATA_DIR ?? '', isTemporary)
    builtFiles ??= readBuiltFiles(DASHBOARD_DIST_FOLDER)
    let adapters: Adapters
    const service = await startService(readConfig(env), builtFiles, {
      write: line => writeSync(log, line),
      terminal: null,
      now: () => Date.now() + clockAhead,
      delays: { ...DELAYS, ...delays },
      argon: cheapArgon,
      startDecoder: decoderOrSpare,
      workers: SINGLE_PROCESS,
      openAdapters: async (...given) => {
        adapters = await openAdapters(...given)
        return adapters
      },
    })
    service.announce()
    const id = ++started
    running.set(id, { service, log, adapters: adapters! })
    return { id, port: service.port }
  } catch (error) {
    writeSync(log, `fundus: ${error instanceof Error ? error.message : error}\n`)
    closeSync(log)
    throw error
  }
}

/** Only for new temporary folders: tests that name a folder run the migrations themselves. */
async function makeDatabase(dataDir: string, isTemporary: boolean) {
  const names = await readdir(dataDir).catch(() => null)
  if (names?.length !== 0) return
  await writeNewDatabase(join(dataDir, DATABASE_FILE))
  // A temporary folder does not become full, so one byte replaces the reserve of 16 MB.
  if (isTemporary) await writeFile(join(dataDir, RESERVE_FILE), '.', { mode: 0o600 })
}

/** The same for a process of its own. */
async function prepare({ dataDir }: { dataDir: string }) {
  await makeDatabase(dataDir, true)
  return {}
}

async function stop({ id }: { id: number }) {
  const one = running.get(id)
  running.delete(id)
  await one?.service.stop()
  // A request that was cut off may still write to the log.
  if (one) setTimeout(() => closeSync(one.log), 1000)
  return {}
}

/** A token as `fundus token create` makes it, without opening the service's database a second time. */
async function token({ id, args }: TokenOrder) {
  const { database, now } = running.get(id)!.adapters
  const { name, ...typed } = parseOptions(args, { name: { type: 'string' }, ...LIMIT_OPTIONS })
  const given = newToken.parse({ name, ...byLimitName(limit => parseLimit(limit, typed[limit.option])) })
  const tokens = createTokens({ database, lastUsed: createLastUseRecorder({ database, now }), newId, now })
  return { clearText: (await tokens.create(given)).clearText }
}

/** Migrated databases by server port; the migrations run once, and every further database is a copy. */
const templates = new Map<number, Promise<string>>()
async function database({ server }: { server: number }): Promise<{ url: string }> {
  const databases = databasesAt(server)
  const template = templates.get(server) ?? migrated(databases)
  templates.set(server, template)
  const url = await databases.copyDatabase(await template)
  await using sql = new SQL(url, { max: 1 })
  // The service takes the time of the first migration as the beginning of the instance.
  await sql`update fundus.migration set applied_at = ${Date.now()}`
  await sql`update fundus.instance set id = ${newId()}`
  return { url }
}

async function migrated(databases: Databases): Promise<string> {
  const { openPostgres } = await import('../../src/database/postgres/postgres.ts')
  const url = await databases.createDatabase()
  const log = createLog({ level: 'error', isHumanReadable: true, write: line => process.stderr.write(line) })
  await (await openPostgres({ url, log, acceptsUnflushed: true })).close()
  return url
}

/** Forwarders of services that run as two instances. */
const forwarders = new Map<number, Forwarder>()
async function forward({ port = 0, targets }: { port?: number; targets: number[] }) {
  const forwarder = forwarders.get(port) ?? (await startForwarder())
  forwarder.targets = targets
  forwarders.set(forwarder.port, forwarder)
  return { port: forwarder.port }
}

async function endForward({ port }: { port: number }) {
  await forwarders.get(port)?.[Symbol.asyncDispose]()
  forwarders.delete(port)
  return {}
}

async function command({ args, env, input }: CommandOrder): Promise<CommandResult> {
  const result = { code: 0, stdout: '', stderr: '' }
  result.code = await runCommandLine(args, {
    env,
    write: text => {
      result.stdout += text
    },
    printToStderr: text => {
      result.stderr += text
    },
    isOutputRead: () => true,
    readInput: async () => input,
    lowerOwnPriority() {},
    becomeOwnerOf() {},
  })
  return result
}

/** What every object of this process inherits. */
const inheritedNames = async () => ({ names: Object.getOwnPropertyNames(Object.prototype) })

const ORDERS: Record<string, (order: never) => Promise<object>> = {
  '/start': start,
  '/prepare': prepare,
  '/stop': stop,
  '/command': command,
  '/token': token,
  '/database': database,
  '/forward': forward,
  '/end-forward': endForward,
  '/inherited-names': inheritedNames,
}

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  idleTimeout: 255,
  async fetch(request) {
    const carryOut = ORDERS[new URL(request.url).pathname]
    if (!carryOut) return new Response('There is no such order.', { status: 404 })
    try {
      return Response.json(await carryOut((await request.json()) as never))
    } catch (error) {
      return new Response(error instanceof Error ? error.message : String(error), { status: 500 })
    }
  },
})
console.log(server.url.href)

// Waits for its end: nothing is ever written there. (A stream of it does not open under Wine.)
await Bun.stdin.text()
await Promise.all([...running.keys()].map(id => stop({ id })))
process.exit()
