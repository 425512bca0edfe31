/**
 * `npm run bench:store`: an object of 10 KB through the adapter of the object store beside bare signed requests for it, on
 * a real store. Exits with 1 when an object that is missing in the cache comes at less than half the speed of the bare ones.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newId } from '../src/ids.ts'
import { createS3Storage } from '../src/storage/s3.ts'
import { createS3Requests } from '../src/storage/s3-requests.ts'
import { contentOf, randomBytes } from '../test/support/bytes.ts'
import { startCeph } from '../test/support/ceph.ts'
import { makeBucket } from '../test/support/s3.ts'
import { percentile } from './percentile.ts'

const OBJECTS = 1000
const SIZE = 10 * 1024
const READERS = 16
const ROUNDS = 5
const BAR = 0.5

await using ceph = await startCeph()
const requests = createS3Requests(await makeBucket(ceph.place))
const folder = await mkdtemp(join(tmpdir(), 'fundus-bench-'))
let folders = 0
const open = () =>
  createS3Storage({ requests, newId, root: join(folder, String(folders++)), cacheBytes: 1024 ** 3 })

/** Objects a second. */
async function measure(work: (name: string, at: number) => Promise<unknown>): Promise<number> {
  let next = 0
  const begun = performance.now()
  const reader = async () => {
    for (let at = next++; at < OBJECTS; at = next++) await work(`files/bench-${at}~1.bin`, at)
  }
  await Promise.all(Array.from({ length: READERS }, reader))
  return (OBJECTS * 1000) / (performance.now() - begun)
}

try {
  const writer = await open()
  const stored = await measure(async (name, at) => {
    const bytes = randomBytes(at, SIZE)
    const staging = await writer.stage()
    await staging.write(bytes)
    await writer.commit(staging, name, contentOf(bytes))
  })
  await writer.close()
  const bare: number[] = []
  const uncached: number[] = []
  const cached: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const storage = await open()
    const read = async (name: string) => (await storage.open(name))!.bytes()
    bare.push(await measure(async name => (await requests.send({ method: 'GET', key: name })).text()))
    uncached.push(await measure(read))
    cached.push(await measure(read))
    await storage.close()
  }
  const median = (values: number[]) => Math.round(percentile(values, 0.5))
  const ratio = percentile(
    uncached.map((value, at) => value / bare[at]!),
    0.5,
  )
  console.info(
    `10 KB, ${READERS} readers: bare ${median(bare)}/s, uncached ${median(uncached)}/s, cached ${median(cached)}/s; stored ${Math.round(stored)}/s`,
  )
  console.info(`uncached is ${ratio.toFixed(2)} × bare (bar ${BAR})`)
  if (ratio < BAR) process.exitCode = 1
} finally {
  await rm(folder, { recursive: true, force: true })
}
