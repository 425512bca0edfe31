/**
 * `npm run bench:library`: the dashboard's library with a million files, on the service as it is.
 *   --rows N     another size
 *   --data DIR   a folder that `bench/seed.ts` has filled; used as it is, the rename is undone at the end
 * Prints medians and 99th percentiles in milliseconds; exits with 1 when a page or a search is above its bar.
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

/** The service merges the pieces that seeding left of the search index; that is over when it writes nothing more. */
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

async function main(dataDir: string): Promise<number> {
  const service = await startService({
    dataDir,
    env: ADMIN_ENV,
    wrapper: ['taskset', '-c', SERVER_CORE],
  })
  try {
    const session = await signIn(service)
    await settled(dataDir)
    const missed = await measureLibrary(service, session, 'embedded')
    await measureRename(service, session)
    console.log(
      `memory of the service: ${(memory(service.pid, 'VmHWM') / 2 ** 20).toFixed(0)} MB at its highest`,
    )
    return missed.length === 0 ? 0 : 1
  } finally {
    await service.stop()
  }
}

const { values: options } = parseArgs({
  options: { rows: { type: 'string', default: '1000000' }, data: { type: 'string' } },
})
const temporary = options.data
  ? null
  : await mkdtemp(join(process.env.BENCH_DIR ?? tmpdir(), 'fundus-library-'))
const dataDir = options.data ?? temporary!
try {
  const busy = busySeconds()
  await Bun.sleep(1000)
  console.log(`${describeMachine()}; others keep ${(busySeconds() - busy).toFixed(1)} cores busy`)
  if (!existsSync(join(dataDir, 'fundus.db'))) {
    const seconds = await seed(dataDir, Number(options.rows))
    console.log(`${options.rows} rows seeded in ${seconds.toFixed(1)} s`)
  }
  process.exitCode = await main(dataDir)
} finally {
  if (temporary) await rm(temporary, { recursive: true, force: true })
}
