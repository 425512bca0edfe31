/** The gallery's bars, with a library of 20 000 files; `npm run bench:dashboard` measures them with 100 000. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { launchOwnChromium } from '../browser/chromium.ts'
import { buildWhenNeeded } from '../browser/dashboard.ts'
import { BARS, measureGallery, misses, type Speed, tell } from '../browser/speed.ts'
import { ADMIN_ENV, signIn } from '../support/dashboard.ts'
import { seedFiles } from '../support/seed.ts'
import { sharedService } from '../support/shared-service.ts'

/** Others at work on the machine can only make it slower: the bars grow by that, and one good round is proof enough. */
const ROUNDS = 3
const missed = (speed: Speed) => misses(speed, speed.contention)

beforeAll(buildWhenNeeded, 120_000)
const on = sharedService({ env: ADMIN_ENV })
let browser: Browser | undefined

beforeAll(async () => {
  browser = await launchOwnChromium()
  await seedFiles(on.service.dataDir, 'viele', 20_000)
})
afterAll(() => browser?.close())

test('soon usable, smooth with 200 files on a page, and not too much script', async () => {
  const session = await signIn(on.service)
  let speed: Speed | undefined
  for (let round = 0; round < ROUNDS && (!speed || missed(speed).length > 0); round++) {
    speed = await measureGallery(browser!, on.service, session, {
      address: '/dateien?ordner=viele',
      word: '0001',
    })
    console.log(`20 000 files: ${tell(speed)}`)
  }
  expect(missed(speed!)).toEqual([])
  expect(speed!.script).toBeGreaterThan(10_000)
})

test('a bar that is missed is named', () => {
  const slow = {
    ...{ interactive: BARS.interactive + 1, nextPage: 0, search: 0, longestTask: 0 },
    ...{ script: BARS.script + 1, contention: 2 },
  }
  expect(misses(slow)).toEqual(['interactive', 'script'])
  expect(missed(slow)).toEqual(['script'])
})
