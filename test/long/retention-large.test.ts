/**
 * 100 000 files become due at the same time: readers are served meanwhile, and a single call restores them
 * all.
 */
import { expect, test } from 'bun:test'
import { store } from '../support/api.ts'
import { dash } from '../support/dashboard.ts'
import { onDatabase } from '../support/data-folder.ts'
import { sharedLibrary } from '../support/library.ts'
import { seedFiles } from '../support/seed.ts'

const on = sharedLibrary({ ownProcess: true })
const FOLDERS = 100
const EACH = 1000
const DAY = 24 * 60 * 60 * 1000

/** Requests a file repeatedly while `work` runs; returns its result and the milliseconds of every request. */
async function beside<T>(work: () => Promise<T>): Promise<{ result: T; waits: number[] }> {
  const waits: number[] = []
  let going = true
  const readers = Array.from({ length: 2 }, async () => {
    while (going) {
      const began = performance.now()
      const response = await fetch(`${on.service.url}/f/ruhig/a.txt`)
      expect(await response.text()).toBe('calm')
      waits.push(performance.now() - began)
    }
  })
  try {
    return { result: await work(), waits }
  } finally {
    going = false
    await Promise.all(readers)
  }
}

function tell(what: string, waits: number[], since: number): void {
  const sorted = waits.toSorted((one, other) => one - other)
  const at = (part: number) => `${(sorted[Math.floor((sorted.length - 1) * part)] ?? 0).toFixed(1)} ms`
  const seconds = ((performance.now() - since) / 1000).toFixed(1)
  console.log(
    `${what}: ${seconds} s, ${sorted.length} GETs beside, median ${at(0.5)}, p99 ${at(0.99)}, longest ${at(1)}`,
  )
}

test('100 000 files at once, tried, run and taken back, while others read', async () => {
  await store(on.service, on.token, 'ruhig/a.txt', 'calm')
  for (let at = 0; at < FOLDERS; at++) await seedFiles(on.service.dataDir, `viel/ordner-${at}-`, EACH)
  await onDatabase(
    on.service.dataDir,
    `update media set updated_at = ${Date.now() - 40 * DAY} where path like 'viel/%'`,
  )
  const regeln = [{ ordner: 'viel', tage: 30, ab: 'hochgeladen' }]
  const saved = await dash(on.service, 'fristen', { method: 'PUT', json: { regeln }, session: on.session })
  expect(saved.status).toBe(200)

  let since = performance.now()
  const trial = await beside(() => on.done<{ regeln: { dateien: number }[] }>('fristen/probe', { regeln }))
  tell('trial', trial.waits, since)
  expect(trial.result.regeln[0]?.dateien).toBe(FOLDERS * EACH)

  since = performance.now()
  const run = await beside(() => on.done<{ dateien: number }>('fristen/ausfuehren', {}))
  tell('run', run.waits, since)
  expect(run.result.dateien).toBe(FOLDERS * EACH)
  // Requests were answered during the run: if they had waited for it, there would be far fewer.
  expect(run.waits.length).toBeGreaterThan(100)
  expect(await on.below('viel')).toEqual([])

  const [group] = (await on.history('gruppen=1&was=geloescht')) as unknown as {
    aktion: string
    dateien: number
  }[]
  expect(group?.dateien).toBe(FOLDERS * EACH)
  since = performance.now()
  const undo = await beside(() =>
    on.done<{ zurueckgenommen: number; abgelehnt: unknown[] }>('verlauf/zuruecknehmen', {
      aktion: group!.aktion,
    }),
  )
  tell('undo', undo.waits, since)
  expect([undo.result.zurueckgenommen, undo.result.abgelehnt.length]).toEqual([FOLDERS * EACH, 0])
  expect(undo.waits.length).toBeGreaterThan(100)
}, 900_000)
