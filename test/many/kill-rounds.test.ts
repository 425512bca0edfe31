/**
 * Rounds of faults under load, in turn: PostgreSQL, the gateway of the store, one instance or both killed;
 * PostgreSQL or the gateway suspended; an instance cut off from both of them. Nothing acknowledged is lost,
 * no half-written content is ever read, and an upload is refused within 10 s. `KILL_ROUNDS=200` for longer.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { seededRandom } from '../crash/random.ts'
import { bytesOf, expectError, expectSameBytes } from '../support/api.ts'
import { concat, randomBytes } from '../support/bytes.ts'
import { type Ceph, findCeph, startCeph } from '../support/ceph.ts'
import { onDatabase } from '../support/data-folder.ts'
import { networkProblem, openNetwork } from '../support/network.ts'
import { findPostgres, type PostgresServer, startPostgres } from '../support/postgres.ts'
import { testSeed } from '../support/random-seed.ts'
import { listBucket } from '../support/s3.ts'
import { type Service, startService } from '../support/service.ts'
import { makePlace, type SharedPlace } from '../support/shared-place.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'
import { findTool, needsTool } from '../support/tools.ts'
import { eventually } from '../support/wait.ts'

const WRITERS = 6
const PATHS = Array.from({ length: 30 }, (_, at) => `rounds/${at % 3}/${at}.bin`)
const random = seededRandom(testSeed)
/** Sizes below and above those that an instance serves from memory. */
const SIZES = [0, 700, 20_000, 300_000]
/** Number of acknowledged uploads in each round before the fault, and again after it. */
const ACKNOWLEDGED = 12
/** Milliseconds within which an upload is refused while a server is gone. */
const REFUSED_WITHIN = 10_000
/**
 * Milliseconds within which every upload is answered, those included that are stored once the server is back.
 */
const ANSWERED_WITHIN = 20_000

needsTool('postgresql', findPostgres)
needsTool('radosgw', findCeph)
const problem = await networkProblem()

const opened = new AsyncDisposableStack()
let postgres: PostgresServer
let ceph: Ceph
let place: SharedPlace
let network: ReturnType<typeof openNetwork> | null = null
const instances: Service[] = []
/** The instance that runs in a network of its own, if there is one. */
let distant: Service | undefined
let token = ''
beforeAll(async () => {
  if (!findTool('postgresql', findPostgres) || !findTool('radosgw', findCeph)) return
  network = problem === null ? opened.use(openNetwork()) : null
  const address = network?.ways[0].here
  const servers = await Promise.all([startPostgres({ flushed: true, address }), startCeph()])
  postgres = opened.adopt(servers[0], each => each.stop())
  ceph = opened.use(servers[1])
  place = await makePlace(postgres, ceph.place)
  const env = { FUNDUS_TEST_UNFLUSHED: '' }
  const start = async (options: Partial<Parameters<typeof startService>[0]>) => {
    const service = await startService({ place, instances: 1, ownProcess: true, env, ...options })
    instances.push(opened.use(service))
    return service
  }
  await start({})
  if (network && address) {
    const store = opened.use(
      await startTcpProxy({ port: Number(new URL(ceph.place.endpoint).port) }, address),
    )
    const far = {
      HOST: '0.0.0.0',
      DATABASE_URL: place.databaseUrl.replace('127.0.0.1', address),
      S3_ENDPOINT: `http://${address}:${store.port}`,
    }
    distant = await start({ wrapper: [...network.wrapper], env: { ...env, ...far } })
  } else await start({})
  instances.forEach(remember)
  token = await instances[0]!.createToken()
})
afterAll(() => opened.disposeAsync())

/** Addresses by instance; one that was killed keeps that of its last run. */
const addresses = new Map<Service, string>()
function remember(service: Service): void {
  const inside = service === distant ? network?.ways[1].inside : undefined
  addresses.set(service, inside ? `http://${inside}:${service.instances[0]!.run.port}` : service.url)
}
async function restart(service: Service): Promise<void> {
  await service.restart()
  remember(service)
}

/** A fault: what begins it, and what ends it. */
interface Fault {
  begin(): unknown
  end(): unknown
  /** An instance that can store nothing meanwhile and is there to say so. */
  refuses?: () => Service
}
const other = () => random.pick(instances)
let resumePostgres = () => {}

const FAULTS: Record<string, Fault> = {
  'PostgreSQL killed': { begin: () => postgres.kill9(), end: () => postgres.start(), refuses: other },
  'gateway killed': { begin: () => ceph.killGateway(), end: () => ceph.startGateway(), refuses: other },
  'one instance killed': {
    begin: () => instances[0]!.kill9(),
    async end() {
      await restart(instances[0]!)
      // The next time it is the other instance.
      instances.reverse()
    },
  },
  'all instances killed': {
    begin: () => Promise.all(instances.map(instance => instance.kill9())),
    async end() {
      for (const instance of instances) await restart(instance)
    },
  },
  'PostgreSQL suspended': {
    begin() {
      resumePostgres = postgres.pause()
    },
    end: () => resumePostgres(),
    refuses: other,
  },
  'gateway suspended': {
    begin: () => ceph.pauseGateway(),
    end: () => ceph.resumeGateway(),
    refuses: other,
  },
  ...(problem === null && {
    'one instance cut off': {
      begin: () => network?.cutWay(0),
      end: () => network?.mendWay(0),
      refuses: () => distant!,
    },
  }),
}
const ROUNDS = Number(process.env.KILL_ROUNDS ?? Object.keys(FAULTS).length)
setDefaultTimeout(120_000 + ROUNDS * 60_000)

/** An upload as its sender knows it. */
interface Upload {
  nr: number
  begun: number
  /** Infinity while it is in progress. */
  ended: number
  acknowledged: boolean
}
/** For each path, the content of the last read without load, followed by what was uploaded since. */
const uploads = new Map<string, Upload[]>(PATHS.map(path => [path, []]))
let numbers = 0
let acknowledged = 0

/**
 * A content with its number, followed by bytes derived from the number, so a reader can tell whether it is
 * complete.
 */
function contentOf(nr: number): Uint8Array<ArrayBuffer> {
  const start = new TextEncoder().encode(`${String(nr).padStart(9, '0')}\n`)
  return concat(start, randomBytes(nr, SIZES[nr % SIZES.length]!))
}

/**
 * Whether the path may have this upload's content: not if an acknowledged upload began after this one had
 * ended.
 */
const mayStand = (one: Upload, all: readonly Upload[]) =>
  !all.some(other => other.acknowledged && other.begun > one.ended)

const send = (service: Service, path: string, body: Uint8Array<ArrayBuffer>) =>
  fetch(`${addresses.get(service)}/api/upload`, {
    method: 'POST',
    keepalive: false,
    body,
    headers: { Authorization: `Bearer ${token}`, 'X-Path': path },
    signal: AbortSignal.timeout(ANSWERED_WITHIN),
  })

/** For each fault, the longest milliseconds until an upload was refused. */
const refusedAfter: Record<string, number> = {}

async function expectRefusal(service: Service, fault: string): Promise<void> {
  const begun = performance.now()
  await expectError(await send(service, 'refused.bin', contentOf(0)), 503)
  const after = Math.round(performance.now() - begun)
  refusedAfter[fault] = Math.max(after, refusedAfter[fault] ?? 0)
  expect(after, fault).toBeLessThan(REFUSED_WITHIN)
}

async function write(path: string): Promise<void> {
  const upload = { nr: ++numbers, begun: performance.now(), ended: Infinity, acknowledged: false }
  uploads.get(path)!.push(upload)
  try {
    const answer = await send(random.pick(instances), path, contentOf(upload.nr))
    // Any other answer is an error.
    if (answer.status === 503) await expectError(answer, 503)
    else expect([answer.status, await answer.text()]).toEqual([200, expect.any(String)])
    upload.acknowledged = answer.status === 200
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.name === 'TimeoutError') throw error
    // This instance is gone.
    await Bun.sleep(20)
  } finally {
    upload.ended = performance.now()
    if (upload.acknowledged) acknowledged++
  }
}

/** Runs the writers around `during`. */
async function underLoad(during: () => Promise<void>): Promise<void> {
  let stop = false
  const writers = Array.from({ length: WRITERS }, async () => {
    while (!stop) await write(random.pick(PATHS))
  })
  try {
    await during()
  } finally {
    stop = true
    await Promise.all(writers)
  }
}

async function moreAcknowledged(what: string): Promise<void> {
  const goal = acknowledged + ACKNOWLEDGED
  await eventually(what, () => acknowledged >= goal)
}

/** Reads every path from both instances: the content must be complete, allowed, and the same on both. */
async function readBack(round: string): Promise<void> {
  for (const path of PATHS) {
    const all = uploads.get(path)!
    const [one, other] = await Promise.all(instances.map(each => readAt(addresses.get(each)!, path)))
    expect([round, path, one]).toEqual([round, path, other])
    const found = all.find(({ nr }) => nr === one)
    const allowed = all.filter(upload => mayStand(upload, all)).map(({ nr }) => nr)
    if (one !== null || all.some(upload => upload.acknowledged))
      expect([round, path, one, allowed]).toEqual([round, path, one, expect.arrayContaining([one])])
    uploads.set(path, found ? [{ ...found, acknowledged: true, ended: performance.now() }] : [])
  }
}

/** The number of the content that is served; null if there is none. */
async function readAt(url: string, path: string): Promise<number | null> {
  const answer = await eventually(`${path} is answered`, async () => {
    const response = await fetch(`${url}/f/${path}`, { keepalive: false })
    return response.status !== 503 && response
  })
  if (answer.status === 404) return null
  expect(answer.status).toBe(200)
  const bytes = await bytesOf(answer)
  const nr = Number(new TextDecoder().decode(bytes.subarray(0, 9)))
  expectSameBytes(bytes, contentOf(nr))
  return nr
}

const title = `${ROUNDS} rounds of faults under load: nothing acknowledged is lost, nothing torn is read`
test(problem === null ? title : `${title} (no instance is cut off: ${problem})`, async () => {
  const faults = Object.entries(FAULTS)
  for (let round = 0; round < ROUNDS; round++) {
    const [name, { begin, end, refuses }] = faults[round % faults.length]!
    await underLoad(async () => {
      await moreAcknowledged('uploads are acknowledged')
      await Bun.sleep(random.between(0, 100))
      try {
        await begin()
        if (refuses) await expectRefusal(refuses(), name)
        await Bun.sleep(random.between(0, 500))
      } finally {
        await end()
      }
      await moreAcknowledged(`uploads are acknowledged again in round ${round + 1}, after: ${name}`)
    })
    await readBack(`round ${round + 1}, ${name}`)
  }
  console.info(`${ROUNDS} rounds, ${numbers} uploads, ${acknowledged} of them acknowledged`)
  console.info('refused after at most these milliseconds:', refusedAfter)
})

test('afterwards `fundus check` finds nothing wrong, and no object is left without a row', async () => {
  const [{ dataDir, command }] = instances as [Service]
  const checked = await command('check')
  // Standard error may contain the progress of a long check.
  expect([checked.code, checked.stdout]).toEqual([0, expect.stringContaining('Alles in Ordnung.')])
  const swept = await command('sweep', '--older-than', '0')
  expect([swept.code, JSON.parse(swept.stdout)]).toEqual([
    0,
    { removed: expect.any(Array), heldBack: 0, missing: [], missingInTrash: [] },
  ])
  await eventually('the discard list is worked off', async () => {
    const rows = await onDatabase<{ object: string }>(dataDir, 'select object from media')
    const objects = (await listBucket(place.bucket)).filter(name => name.startsWith('files/'))
    return (
      objects.sort().join() ===
      rows
        .map(({ object }) => object)
        .sort()
        .join()
    )
  })
})
