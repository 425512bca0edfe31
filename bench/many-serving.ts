/**
 * How quickly `/f/` is answered on PostgreSQL and an object store: warm, during uploads, and out of the store
 * itself.
 */
import { join } from 'node:path'
import { createS3Requests } from '../src/storage/s3/requests.ts'
import { listBucket } from '../test/support/s3.ts'
import { HEAD, HEAD_ONLY, KB } from './cases.ts'
import { byUpload, fileSet, mustBeEqual, place, writeTargets } from './files.ts'
import { openLine } from './line.ts'
import { cpuSeconds, SERVER_CORE } from './machine.ts'
import { type Bench, bar, startReal } from './many-servers.ts'
import { percentile } from './percentile.ts'
import type { Bar } from './report.ts'
import { asServer, type Server } from './server.ts'
import { spawnUpload } from './upload.ts'
import { runWrk } from './wrk.ts'

const SIZE = 10 * KB
const WARM_BAR = 0.8
const BUSY_BAR = 0.6
const UPLOADS_PER_SECOND = 50
const UNCACHED_BAR = 0.5
const UNCACHED_FILES = 1000
const READERS = 16

/** Answers per second of the server's processor time, while other clients upload where `busy` says so. */
async function perCoreSecond(server: Server, read: Read, seconds: number, busy: boolean): Promise<number> {
  const { targets, bytes } = read
  // Longer than the reading, so that it is never without uploads.
  const plan = { name: `busy/${crypto.randomUUID()}`, size: SIZE, parallel: 8, uploads: 1e9, paths: 1e9 }
  const rate = { seconds: seconds + 1, perSecond: UPLOADS_PER_SECOND }
  const uploading = busy ? spawnUpload(server, { ...plan, ...rate }) : undefined
  if (busy) await Bun.sleep(500)
  const cpu = cpuSeconds(server.pid)
  const run = await runWrk(openLine(true), server.port, targets.get(server)!, seconds, { bytes })
  const used = cpuSeconds(server.pid) - cpu
  const uploads = await uploading
  const errors = [...run.errors, ...(uploads?.errors ?? [])]
  if (errors.length > 0) throw new Error(`${server.name}: ${errors.join('; ')}\n${server.lastWords()}`)
  // Fewer uploads disturb less: such a figure would be too good.
  const short = uploads && uploads.uploads < 0.9 * rate.seconds * rate.perSecond
  if (short) console.log(`  ${server.name} stored only ${uploads.uploads} files in ${rate.seconds} s`)
  return (run.perSecond * seconds) / used
}

interface Read {
  name: string
  bytes: readonly [number, number]
  targets: Map<Server, string>
}

export async function measureServing({ newPlace, folder, quick }: Bench): Promise<Bar[]> {
  const wrapper = ['taskset', '-c', SERVER_CORE]
  await using embedded = await startReal({ wrapper })
  await using many = await startReal({ wrapper, place: await newPlace(), instances: 1 })
  const servers = [await asServer('embedded', embedded), await asServer('many machines', many)] as const
  const files = fileSet('10k', SIZE, 200)
  await place(files, servers.map(byUpload))
  await mustBeEqual(files, servers)
  const bars: Bar[] = []
  for (const [name, bytes] of [
    ['GET 10 KB', [SIZE, SIZE + HEAD]],
    ['304', HEAD_ONLY],
  ] as const) {
    const targets = new Map<Server, string>()
    for (const server of servers) {
      const list = join(folder, `${server.name}-${name}.txt`)
      targets.set(server, await writeTargets(list, files, server, name === '304' ? 'confirmed' : 'whole'))
    }
    for (const busy of [false, true]) bars.push(await compare(servers, { name, bytes, targets }, busy, quick))
  }
  return bars
}

async function compare(
  [embedded, many]: readonly [Server, Server],
  read: Read,
  busy: boolean,
  quick: boolean,
): Promise<Bar> {
  const seconds = quick ? 1 : 3
  for (const server of [embedded, many]) await perCoreSecond(server, read, 1, busy) // both warm
  const runs: [number, number][] = []
  for (let round = 0; round < (quick ? 2 : 5); round++)
    runs.push([
      await perCoreSecond(embedded, read, seconds, busy),
      await perCoreSecond(many, read, seconds, busy),
    ])
  const ratio = percentile(
    runs.map(([one, other]) => other / one),
    0.5,
  )
  const least = busy ? BUSY_BAR : WARM_BAR
  const what = `${read.name}, warm${busy ? ` during ${UPLOADS_PER_SECOND} uploads/s` : ''}`
  const figures = runs.map(pair => pair.map(value => Math.round(value / 1000)).join(':')).join(' ')
  return bar(
    `${what} ≥ ${least} × embedded per core second`,
    `${ratio.toFixed(2)} × (thousands, embedded:many ${figures})`,
    ratio >= least,
  )
}

/**
 * Each round asks an instance whose cache is empty for every file once, beside signed requests for the same
 * objects.
 */
export async function measureUncached({ newPlace, quick }: Bench): Promise<Bar[]> {
  const shared = await newPlace()
  const files = fileSet('uncached', SIZE, UNCACHED_FILES)
  {
    await using writer = await startReal({ place: shared, instances: 1 })
    await place(files, [byUpload(await asServer('many machines', writer))])
  }
  const requests = createS3Requests(shared.bucket)
  const objects = (await listBucket(shared.bucket)).filter(name => name.startsWith('files/'))
  const runs: { bare: number; uncached: number; cached: number }[] = []
  for (let round = 0; round < (quick ? 2 : 5); round++) {
    await using service = await startReal({ place: shared, instances: 1 })
    const { url } = service.instances[0]!
    const get = async (path: string) => {
      const response = await fetch(`${url}/f/${path}`)
      if ((await response.bytes()).length !== SIZE) throw new Error(`${path}: ${response.status}`)
    }
    const bare = await perSecond(objects, async key => (await requests.send({ method: 'GET', key })).text())
    runs.push({
      bare,
      uncached: await perSecond(files.paths, get),
      cached: await perSecond(files.paths, get),
    })
  }
  const middle = (pick: (run: (typeof runs)[number]) => number) => percentile(runs.map(pick), 0.5)
  const ratio = middle(run => run.uncached / run.bare)
  const figures = (['bare', 'uncached', 'cached'] as const)
    .map(which => `${which} ${Math.round(middle(run => run[which]))}/s`)
    .join(', ')
  const what = `GET 10 KB, uncached ≥ ${UNCACHED_BAR} × bare signed GETs`
  return [bar(what, `${ratio.toFixed(2)} × (${figures})`, ratio >= UNCACHED_BAR)]
}

async function perSecond(
  names: readonly string[],
  work: (name: string) => Promise<unknown>,
): Promise<number> {
  const queue = names.values()
  const begun = performance.now()
  const reader = async () => {
    for (const name of queue) await work(name)
  }
  await Promise.all(Array.from({ length: READERS }, reader))
  return (names.length * 1000) / (performance.now() - begun)
}
