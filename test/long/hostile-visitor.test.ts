/**
 * What a visitor who misuses a drop link costs others: readers, programs that upload, and visitors of another
 * link.
 */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { percentile } from '../../bench/percentile.ts'
import { store, upload } from '../support/api.ts'
import { ADMIN_ENV, signIn } from '../support/dashboard.ts'
import { stagedFiles } from '../support/data-folder.ts'
import { dropLinks, handIn, makeDrop } from '../support/drops.ts'
import { filePart } from '../support/ingest.ts'
import { type Service, startService } from '../support/service.ts'
import { eventually } from '../support/wait.ts'

setDefaultTimeout(600_000)

/** The first requests of a process are slow anywhere. */
const WARM_UP_MS = 10_000
/** What others may wait longer than at a service that is left alone, at the 99th percentile. */
const MOST_MS = 100

type Ask = () => Promise<Response>

/** Milliseconds that each request took, one after the other until `end`. */
async function timesOf(ask: Ask, end: Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  let isOver = false
  void end.finally(() => {
    isOver = true
  })
  while (!isOver) {
    const start = performance.now()
    const answer = await ask()
    await answer.arrayBuffer()
    times.push(performance.now() - start)
    if (answer.status !== 200) throw new Error(`${answer.status} for somebody else`)
    await Bun.sleep(10)
  }
  return times
}

async function p99Of(asks: Record<string, Ask>, end: Promise<unknown>): Promise<Record<string, number>> {
  const entries = Object.entries(asks).map(async ([name, ask]) => {
    const times = await timesOf(ask, end)
    expect(times.length).toBeGreaterThan(100)
    return [name, percentile(times, 0.99)] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

/** Runs with low priority, since a visitor has a machine of their own. */
function attack({ port }: Service, key: string) {
  const command = ['nice', '-n', '19', process.execPath, 'test/support/hostile-visitor.ts', String(port), key]
  const visitor = Bun.spawn(command, { stdout: 'pipe' })
  return new Response(visitor.stdout).json() as Promise<Record<string, number>>
}

const env = { ...ADMIN_ENV, TRUST_PROXY: '127.0.0.0/8' }
const startLarge = () => startService({ ownProcess: true, env })

/** What others do at a service: they read, upload with a token, and hand in at another link. */
async function othersAt(service: Service): Promise<Record<string, Ask>> {
  const token = await service.createToken()
  const session = await signIn(service)
  const { schluessel } = await makeDrop(service, session, { ordner: 'abgabe/andere', anzahl: 50_000 })
  await store(service, token, 'read.bin', 'x'.repeat(10_000))
  let number = 0
  return {
    read: () => fetch(`${service.url}/f/read.bin`),
    upload: () => upload(service, token, 'y', { 'X-Path': `others/${++number}.txt` }),
    // Each from another network, since one is allowed 2000 files an hour.
    handIn: () =>
      handIn(service, schluessel, [filePart(`${++number}.txt`, 'z')], {
        'X-Forwarded-For': `198.51.${(number >> 8) & 255}.${number & 255}`,
      }),
  }
}

/** At two services of the machine at a time, so that whatever else the machine does counts for both. */
test('10 000 small files and 100 slow senders with names that lie cost others less than 100 ms', async () => {
  await using attacked = await startLarge()
  await using calm = await startLarge()
  const session = await signIn(attacked)
  const { schluessel } = await makeDrop(attacked, session, { ordner: 'abgabe/offen', anzahl: 50_000 })
  const asks = await Promise.all([othersAt(attacked), othersAt(calm)])
  await Promise.all(asks.map(each => p99Of(each, Bun.sleep(WARM_UP_MS))))
  const end = attack(attacked, schluessel)
  const [during, without] = await Promise.all(asks.map(each => p99Of(each, end)))
  const statuses = await end
  console.info({ during, without, statuses })
  for (const [name, time] of Object.entries(during!)) expect(time - without![name]!).toBeLessThan(MOST_MS)
  expect(Object.keys(statuses).toSorted()).toEqual(['200', '429'])
  expect(statuses['200']).toBeLessThanOrEqual(2000)
  const links = await dropLinks(attacked, session)
  expect(links.find(({ ordner }) => ordner === 'abgabe/offen')?.abgegeben).toBe(statuses['200']!)
  await eventually('nothing is staged', async () => (await stagedFiles(attacked.dataDir)).length === 0)
})
