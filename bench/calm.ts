/**
 * `npm run bench -- calm`: how long a GET of a small file takes, first alone, then while 8 clients upload, 4
 * pictures of 12 megapixels are decoded, a backup runs and a folder of 10 000 files is renamed. Exits with 1
 * when the 99th percentile grows to more than four times, or when a GET takes more than 100 ms. `--seconds
 * <n>`: the least length of a phase (10).
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import sharp from 'sharp'
import { read, store } from '../test/support/api.ts'
import { randomBytes } from '../test/support/bytes.ts'
import { ADMIN_ENV, dash, signIn } from '../test/support/dashboard.ts'
import { type Service, startService } from '../test/support/service.ts'
import { commit, describeMachine } from './machine.ts'
import { percentile } from './percentile.ts'
import { landscape } from './scenes.ts'
import { RENAMED, SERVED, seed } from './seed.ts'

const GROWTH_BAR = 4
const LONGEST_BAR_MS = 100
const READERS = 8
/** Between two requests of a reader: the readers alone must not keep the service busy. */
const PAUSE_MS = 5
const UPLOADERS = 8
const UPLOAD_BYTES = 100_000
const PICTURES = 4
/** Between two looks for a preview, as a client would pause. */
const POLL_MS = 50
/** What the backup copies beside the small files. */
const LARGE_FILES = 6
const LARGE_BYTES = 50_000_000

/**
 * Runs in a process of its own, so that the clients of the load do not delay the clock. Ends with its
 * standard input.
 */
async function readAlong(url: string): Promise<void> {
  const waits: number[] = []
  let going = true
  const reader = async (offset: number) => {
    for (let round = offset; going; round++) {
      const start = performance.now()
      const answer = await fetch(`${url}/f/served/${round % SERVED}.txt`)
      await answer.arrayBuffer()
      if (answer.status !== 200) throw new Error(`GET: ${answer.status}`)
      waits.push(performance.now() - start)
      await Bun.sleep(PAUSE_MS)
    }
  }
  const all = Promise.all(Array.from({ length: READERS }, (_, at) => reader(at * 7)))
  await Bun.stdin.text()
  going = false
  await all
  console.log(JSON.stringify(waits))
}

async function measure(what: string, service: Service, act: () => Promise<unknown>) {
  const child = Bun.spawn([process.execPath, import.meta.path, 'read', service.url], {
    stdin: 'pipe',
    stderr: 'inherit',
  })
  try {
    await act()
  } finally {
    child.stdin.end()
  }
  const waits = JSON.parse(await new Response(child.stdout).text()) as number[]
  const [middle, p99, longest] = [0.5, 0.99, 1].map(share => percentile(waits, share)) as [
    number,
    number,
    number,
  ]
  const figures = [middle, p99, longest].map(ms => ms.toFixed(1)).join(' / ')
  console.log(`${what.padEnd(10)} GET p50 / p99 / longest: ${figures} ms, ${waits.length} requests`)
  return { p99, longest }
}

interface Work {
  session: string
  /** One for each client that uploads. */
  tokens: string[]
  picture: Uint8Array<ArrayBuffer>
  seconds: number
}

/** Ends when backup and rename have ended, and not before `seconds` have passed. */
async function work(service: Service, { session, tokens, picture, seconds }: Work) {
  const done = { uploads: 0, pictures: 0 }
  let going = true
  const uploader = async (token: string, client: number) => {
    const body = randomBytes(client, UPLOAD_BYTES)
    for (; going; done.uploads++)
      await store(service, token, `uploads/${client}-${done.uploads % 50}.bin`, body)
  }
  const photographer = async (token: string, client: number) => {
    for (; going; done.pictures++) {
      const path = `pictures/${client}-${done.pictures}.jpg`
      await store(service, token, path, picture)
      while (going && (await fetch(`${service.url}/t/${path}.webp`)).status !== 200) await Bun.sleep(POLL_MS)
      // The variant is made after the preview; this waits for it.
      await (await read(service, path, { Accept: 'image/webp' })).arrayBuffer()
    }
  }
  const clients = Promise.all([
    ...tokens.slice(0, UPLOADERS).map(uploader),
    ...tokens.slice(UPLOADERS).map(photographer),
  ])
  const timed = async (what: string, request: Promise<Response>) => {
    const start = performance.now()
    const { status } = await request
    if (status !== 200) throw new Error(`${what}: ${status}`)
    return `${what} ${((performance.now() - start) / 1000).toFixed(1)} s`
  }
  const rename = { ordner: 'rename-me', name: 'renamed' }
  const ended = await Promise.all([
    timed('backup', dash(service, 'sicherung?warten=1', { method: 'POST', session })),
    timed('rename', dash(service, 'folders/umbenennen', { session, json: rename })),
    Bun.sleep(seconds * 1000),
  ])
  going = false
  await clients
  console.log(
    `meanwhile: ${done.uploads} uploads, ${done.pictures} pictures, ${ended.filter(Boolean).join(', ')}`,
  )
}

async function main(dataDir: string, seconds: number): Promise<void> {
  await seed(dataDir, SERVED + RENAMED)
  const picture = await sharp(await landscape(4000, 3000))
    .jpeg({ quality: 90 })
    .toBuffer()
  await using service = await startService({ ownProcess: true, dataDir, env: ADMIN_ENV })
  const session = await signIn(service)
  const tokens: string[] = []
  while (tokens.length < UPLOADERS + PICTURES) tokens.push(await service.createToken())
  for (let at = 0; at < LARGE_FILES; at++)
    await store(service, tokens[0]!, `large/${at}.bin`, randomBytes(at, LARGE_BYTES))
  await measure('warm', service, () => Bun.sleep(1000))
  const idle = await measure('idle', service, () => Bun.sleep(seconds * 1000))
  const busy = await measure('under load', service, () =>
    work(service, { session, tokens, picture: new Uint8Array(picture), seconds }),
  )
  const growth = busy.p99 / idle.p99
  const missed = growth > GROWTH_BAR || busy.longest > LONGEST_BAR_MS
  console.log(
    `p99 ${growth.toFixed(1)} × idle, bar ≤ ${GROWTH_BAR}; longest ${busy.longest.toFixed(0)} ms, bar ≤ ${LONGEST_BAR_MS}`,
  )
  if (missed) {
    console.log('MISSED')
    process.exitCode = 1
  }
}

const [role, url] = process.argv.slice(2)
if (role === 'read' && url) {
  await readAlong(url)
} else {
  const { values } = parseArgs({ options: { seconds: { type: 'string', default: '10' } } })
  console.log(`${describeMachine()}, load ${loadavg()[0]!.toFixed(1)}\ncommit ${commit()}`)
  const dataDir = await mkdtemp(join(process.env.BENCH_DIR ?? tmpdir(), 'fundus-bench-calm-'))
  try {
    await main(dataDir, Number(values.seconds))
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
  process.exit()
}
