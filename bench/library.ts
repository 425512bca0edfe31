/**
 * `npm run bench -- library`: the dashboard's library with a million files, on the service as it is.
 *   --rows N       another size; above a million, a library of a million is asked beside it
 *   --data DIR     a folder that `bench/seed.ts` has filled; used as it is, the rename is undone at the end
 *   --beside DIR   the same for the library of a million
 * Prints medians, 99th percentiles and the service's processor time in milliseconds; exits with 1 when a page
 * or a search is above its bar, or takes more than twice the processor time of the library of a million.
 */
import { Database as Connection } from 'bun:sqlite'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ADMIN_ENV, signIn } from '../test/support/dashboard.ts'
import { startService } from '../test/support/service.ts'
import { measureLibrary } from './library-measure.ts'
import { measureRename } from './library-rename.ts'
import { busySeconds, describeMachine, memory, SERVER_CORE } from './machine.ts'
import { seed } from './seed.ts'

/** Milliseconds that the service gets to come to rest. */
const SETTLING = 90_000

const MILLION = 1_000_000

/**
 * The service merges the pieces that seeding left of the search index; that is over when it writes nothing
 * more.
 */
async function settled(dataDir: string): Promise<void> {
  using database = new Connection(join(dataDir, 'fundus.db'), { readonly: true })
  const version = database.prepare<{ data_version: number }, []>('pragma data_version')
  const started = performance.now()
  let since = started
  for (let before = -1; performance.now() - since < 2000 && performance.now() - started < SETTLING; ) {
    const now = version.get()!.data_version
    if (now !== before) since = performance.now()
    before = now
    await Bun.sleep(100)
  }
  console.log(`search index merged after ${Math.round((since - started) / 1000)} s`)
}

/** Starts the service on a library of this size, which is made unless it lies in the folder already. */
async function open(rows: number, given?: string) {
  const temporary = given ? null : await mkdtemp(join(process.env.BENCH_DIR ?? tmpdir(), 'fundus-library-'))
  const remove = async () => void (temporary && (await rm(temporary, { recursive: true, force: true })))
  try {
    const dataDir = given ?? temporary!
    if (!existsSync(join(dataDir, 'fundus.db')))
      console.log(`${rows} rows seeded in ${(await seed(dataDir, rows)).toFixed(1)} s`)
    const service = await startService({ dataDir, env: ADMIN_ENV, wrapper: ['taskset', '-c', SERVER_CORE] })
    const session = await signIn(service)
    await settled(dataDir)
    return { service, session, files: rows, close: () => service.stop().then(remove) }
  } catch (error) {
    await remove()
    throw error
  }
}

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: String(MILLION) },
    data: { type: 'string' },
    beside: { type: 'string' },
  },
})
const busy = busySeconds()
await Bun.sleep(1000)
console.log(`${describeMachine()}; others keep ${(busySeconds() - busy).toFixed(1)} cores busy`)
const rows = Number(options.rows)
const opened = [await open(rows, options.data)]
try {
  if (rows > MILLION) opened.push(await open(MILLION, options.beside))
  const [library, smaller] = opened
  const missed = await measureLibrary(library!, smaller ? 'huge' : 'embedded', smaller)
  await measureRename(library!.service, library!.session)
  const highest = memory(library!.service.pid, 'VmHWM') / 2 ** 20
  console.log(`memory of the service: ${highest.toFixed(0)} MB at its highest`)
  process.exitCode = missed.length === 0 ? 0 : 1
} finally {
  for (const { close } of opened) await close()
}
process.exit()
