/**
 * `npm run bench -- dashboard`: the gallery in a real browser, on a library of 100 000 files in 5 000
 * folders.
 *   --rows N     another size
 *   --data DIR   a folder that `bench/seed.ts` has filled
 * Prints each round and the median; exits with 1 when a bar of the dashboard is missed.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { launchOwnChromium } from '../test/browser/chromium.ts'
import { buildWhenNeeded } from '../test/browser/dashboard.ts'
import { ADMIN_ENV, signIn } from '../test/support/dashboard.ts'
import { startService } from '../test/support/service.ts'
import { BARS, measureGallery, misses, type Speed, tell } from './gallery.ts'
import { commit, describeMachine } from './machine.ts'
import { seed } from './seed.ts'

const ROUNDS = 5
/** Above this the figures tell more of others than of the dashboard. */
const CONTENTION_MAX = 1.5
/** The fullest folder of the seeded library; beside it stands the tree of all folders. */
const ADDRESS = '/dateien?ordner=uploads'
/** Thousands of seeded files have it in their names. */
const WORD = 'dragon'

const { values } = parseArgs({
  options: { rows: { type: 'string', default: '100000' }, data: { type: 'string' } },
})

const median = (speeds: readonly Speed[], name: keyof Speed) =>
  speeds.map(speed => speed[name]).toSorted((a, b) => a - b)[Math.floor(speeds.length / 2)]!

buildWhenNeeded()
const own = values.data === undefined ? await mkdtemp(join(tmpdir(), 'fundus-bench-')) : undefined
const dataDir = values.data ?? own!
try {
  if (own)
    console.log(`seeded ${values.rows} files in ${(await seed(own, Number(values.rows))).toFixed(1)} s`)
  await using service = await startService({ ownProcess: true, env: ADMIN_ENV, dataDir })
  const browser = await launchOwnChromium()
  try {
    const session = await signIn(service)
    const speeds: Speed[] = []
    for (let round = 0; round < ROUNDS; round++) {
      speeds.push(await measureGallery(browser, service, session, { address: ADDRESS, word: WORD }))
      console.log(tell(speeds.at(-1)!))
    }
    const names = [...Object.keys(BARS), 'contention'] as (keyof Speed)[]
    const middle = Object.fromEntries(names.map(name => [name, median(speeds, name)])) as unknown as Speed
    console.log(`\n${describeMachine()}, ${commit()}\nmedian: ${tell(middle)}`)
    const missed = misses(middle)
    const isVoid = middle.contention > CONTENTION_MAX
    if (missed.length > 0)
      console.log(`${isVoid ? 'VOID, others had the cores' : 'MISS'}: ${missed.join(', ')}`)
    process.exitCode = missed.length > 0 ? 1 : 0
  } finally {
    await browser.close()
  }
} finally {
  if (own) await rm(own, { recursive: true, force: true })
}
