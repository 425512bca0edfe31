/**
 * How many files of 10 KB are stored a second: embedded, by one instance, by two, and far away from the
 * database; beside them bare signed PUTs of the same bytes, which no instance can outdo.
 */
import { SQL } from 'bun'
import { createS3Requests, type S3Location } from '../src/storage/s3/requests.ts'
import { startDelay } from '../test/support/delay.ts'
import { KB } from './cases.ts'
import { cpuSeconds } from './machine.ts'
import { type Bench, bar, startReal } from './many-servers.ts'
import { percentile } from './percentile.ts'
import type { Bar } from './report.ts'
import { asServer, type Server } from './server.ts'
import { runUpload } from './upload.ts'

const CLIENTS = 32
const SIZE = 10 * KB
const EMBEDDED_BAR = 0.3
/**
 * Two instances share one machine here, and what one of them gains the other takes away: equal within the
 * noise.
 */
const TWO_BAR = 1
const DELAY = 1
const DELAYED_BAR = 100

interface Rate {
  perSecond: number
  /** Milliseconds of the service's own processor time for each upload. */
  cost: number
}

async function measure(server: Server, seconds: number): Promise<Rate> {
  const before = cpuSeconds(server.pid)
  const name = `uploads/${crypto.randomUUID()}`
  const plan = { name, size: SIZE, parallel: CLIENTS, seconds, uploads: 1e9, paths: 1e9 }
  const { perSecond, errors } = await runUpload(server, plan)
  if (errors.length > 0) throw new Error(`${server.name}: ${errors.join('; ')}\n${server.lastWords()}`)
  return { perSecond, cost: ((cpuSeconds(server.pid) - before) * 1000) / (perSecond * seconds) }
}

/**
 * What a service sends to the store for each upload, and nothing else: the most that this store takes on this
 * machine.
 */
async function barePuts(bucket: S3Location, seconds: number): Promise<number> {
  const { send } = createS3Requests(bucket)
  const bytes = crypto.getRandomValues(new Uint8Array(SIZE))
  const body = { bytes, size: SIZE, sha256: Bun.SHA256.hash(bytes, 'hex') }
  const begun = performance.now()
  let stored = 0
  const client = async () => {
    while (performance.now() - begun < seconds * 1000) {
      const key = `bare/${crypto.randomUUID()}`
      await (await send({ method: 'PUT', key, headers: { 'if-none-match': '*' }, body })).text()
      stored++
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  return (stored * 1000) / (performance.now() - begun)
}

export async function measureUploads({ newPlace, postgres, quick }: Bench): Promise<Bar[]> {
  const place = await newPlace()
  await using delay = await startDelay(postgres.port, DELAY)
  const far = new URL(place.databaseUrl)
  far.port = String(delay.port)
  await using embedded = await startReal({})
  await using many = await startReal({ place })
  await using delayed = await startReal({ place, instances: 1, env: { DATABASE_URL: far.href } })
  const one = await asServer('one instance', many)
  const servers = {
    embedded: await asServer('embedded', embedded),
    one,
    two: { ...one, name: 'two instances', ports: many.instances.map(({ run }) => run.port) },
    delayed: await asServer('one instance far from the database', delayed),
  }
  const names = Object.keys(servers) as (keyof typeof servers)[]
  const runs: Record<keyof typeof servers | 'bare', number>[] = []
  const costs: { one: number; embedded: number }[] = []
  for (const name of names) await measure(servers[name], 1) // all warm
  const seconds = quick ? 2 : 4
  for (let round = 0; round < (quick ? 2 : 5); round++) {
    const run = { embedded: 0, one: 0, two: 0, delayed: 0, bare: 0 }
    const cost = { embedded: 0, one: 0, two: 0, delayed: 0 }
    for (const name of names) {
      const rate = await measure(servers[name], seconds)
      run[name] = rate.perSecond
      cost[name] = rate.cost
    }
    costs.push(cost)
    run.bare = await barePuts(place.bucket, seconds)
    runs.push(run)
  }
  const middle = (pick: (run: (typeof runs)[number]) => number) => percentile(runs.map(pick), 0.5)
  const [share, two, slow] = [
    middle(run => run.one / run.embedded),
    middle(run => run.two / run.one),
    middle(run => run.delayed),
  ]
  const figures = (name: keyof (typeof runs)[number]) =>
    `${runs.map(run => Math.round(run[name])).join(' ')} /s`
  const cost = (name: keyof (typeof costs)[number]) =>
    percentile(
      costs.map(each => each[name]),
      0.5,
    ).toFixed(2)
  const what = `upload 10 KB, ${CLIENTS} clients`
  const trip = `${(await roundTrip(far.href)).toFixed(1)} ms instead of ${(await roundTrip(place.databaseUrl)).toFixed(1)}`
  return [
    bar(
      `${what}: one instance ≥ ${EMBEDDED_BAR} × embedded`,
      `${share.toFixed(2)} × (one ${figures('one')}, embedded ${figures('embedded')}; bare signed PUTs ${figures('bare')}: ${middle(run => run.bare / run.embedded).toFixed(2)} × embedded, ${middle(run => run.one / run.bare).toFixed(2)} of them reached; of its own processor time an upload takes the instance ${cost('one')} ms and the embedded service ${cost('embedded')})`,
      share >= EMBEDDED_BAR,
    ),
    bar(
      `${what}: two instances ≥ ${TWO_BAR} × one`,
      `${two.toFixed(2)} × (two ${figures('two')})`,
      two >= TWO_BAR,
    ),
    bar(
      `${what}, ${DELAY} ms added per round trip to the database ≥ ${DELAYED_BAR}/s`,
      `${Math.round(slow)}/s (${figures('delayed')}; a round trip takes ${trip})`,
      slow >= DELAYED_BAR,
    ),
  ]
}

/** Milliseconds, the middle of many. */
async function roundTrip(url: string): Promise<number> {
  await using sql = new SQL(url, { max: 1 })
  const times: number[] = []
  for (let round = 0; round < 50; round++) {
    const begun = performance.now()
    await sql`select 1`
    times.push(performance.now() - begun)
  }
  return percentile(times, 0.5)
}
