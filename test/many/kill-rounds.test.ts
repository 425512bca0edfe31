/**
 * Rounds of `kill -9` under load: in turn PostgreSQL, the gateway of the store, one instance, both. Nothing
 * acknowledged is lost, and no half-written content is ever read. `KILL_ROUNDS=100 npm run test:many` kills
 * for longer.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { seededRandom } from '../crash/random.ts'
import { bytesOf, expectSameBytes } from '../support/api.ts'
import { concat, randomBytes } from '../support/bytes.ts'
import { type Ceph, findCeph, startCeph } from '../support/ceph.ts'
import { onDatabase } from '../support/data-folder.ts'
import { findPostgres, type PostgresServer, startPostgres } from '../support/postgres.ts'
import { testSeed } from '../support/random-seed.ts'
import { listBucket } from '../support/s3.ts'
import { type Service, startService } from '../support/service.ts'
import { makePlace, type SharedPlace, startForwarding } from '../support/shared-place.ts'
import { findTool, needsTool } from '../support/tools.ts'
import { eventually } from '../support/wait.ts'

const ROUNDS = Number(process.env.KILL_ROUNDS ?? 5)
const WRITERS = 6
const PATHS = Array.from({ length: 30 }, (_, at) => `rounds/${at % 3}/${at}.bin`)
const random = seededRandom(testSeed)
/** Sizes below and above those that an instance serves from memory. */
const SIZES = [0, 700, 20_000, 300_000]
/** Number of acknowledged uploads in each round before the kill, and again after it. */
const ACKNOWLEDGED = 12

setDefaultTimeout(120_000 + ROUNDS * 60_000)
needsTool('postgresql', findPostgres)
needsTool('radosgw', findCeph)

let postgres: PostgresServer
let ceph: Ceph
let place: SharedPlace
const instances: Service[] = []
let balancer: Awaited<ReturnType<typeof startForwarding>>
let token = ''
beforeAll(async () => {
  if (!findTool('postgresql', findPostgres) || !findTool('radosgw', findCeph)) return
  const servers = await Promise.all([startPostgres({ flushed: true }), startCeph()])
  postgres = servers[0]
  ceph = servers[1]
  place = await makePlace(postgres, ceph.place)
  const env = { FUNDUS_TEST_UNFLUSHED: '' }
  for (const _ of [1, 2]) instances.push(await startService({ place, instances: 1, ownProcess: true, env }))
  balancer = await startForwarding()
  await balance()
  token = await instances[0]!.createToken()
})
afterAll(async () => {
  for (const instance of instances) await instance[Symbol.asyncDispose]()
  await balancer?.[Symbol.asyncDispose]()
  await ceph?.[Symbol.asyncDispose]()
  await postgres?.stop()
})

const balance = () => balancer.to(instances.map(({ instances: [only] }) => only!.run.port))

const VICTIMS: Record<string, { kill(): Promise<unknown>; start(): Promise<unknown> }> = {
  PostgreSQL: { kill: () => postgres.kill9(), start: () => postgres.start() },
  gateway: { kill: () => ceph.killGateway(), start: () => ceph.startGateway() },
  'one instance': {
    kill: () => instances[0]!.kill9(),
    async start() {
      await instances[0]!.restart()
      // The next round kills the other instance.
      instances.reverse()
      await balance()
    },
  },
  'all instances': {
    kill: () => Promise.all(instances.map(instance => instance.kill9())),
    async start() {
      for (const instance of instances) await instance.restart()
      await balance()
    },
  },
}

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

async function write(path: string): Promise<void> {
  const upload = { nr: ++numbers, begun: performance.now(), ended: Infinity, acknowledged: false }
  uploads.get(path)!.push(upload)
  try {
    const answer = await fetch(`http://127.0.0.1:${balancer.port}/api/upload`, {
      method: 'POST',
      keepalive: false,
      body: contentOf(upload.nr),
      headers: { Authorization: `Bearer ${token}`, 'X-Path': path },
    })
    const said = await answer.text()
    // Any other answer is a fault.
    if (answer.status !== 503) expect([answer.status, said]).toEqual([200, expect.any(String)])
    upload.acknowledged = answer.status === 200
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error
    // One instance or both are gone.
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
    const [one, other] = await Promise.all(instances.map(({ url }) => readAt(url, path)))
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

test(`${ROUNDS} rounds of killing under load: nothing acknowledged is lost, nothing torn is read`, async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const [name, { kill, start }] = Object.entries(VICTIMS)[round % 4]!
    await underLoad(async () => {
      await moreAcknowledged('uploads are acknowledged')
      await Bun.sleep(random.between(0, 100))
      await kill()
      await Bun.sleep(random.between(0, 500))
      await start()
      await moreAcknowledged(`uploads are acknowledged again after ${name} was killed in round ${round + 1}`)
    })
    await readBack(`round ${round + 1}, ${name}`)
  }
  console.info(`${ROUNDS} rounds, ${numbers} uploads, ${acknowledged} of them acknowledged`)
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
