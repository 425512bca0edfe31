import { afterAll, expect, test } from 'bun:test'
import type { BackupReport } from '../../contract/service/backup.ts'
import { spaceWarnings } from './space-outlook.ts'
import { openBackupInstance } from './testing.ts'

const MB = 1024 * 1024
const world = await openBackupInstance()
afterAll(() => world[Symbol.asyncDispose]())
await world.store('a.txt', 'x'.repeat(2 * MB))

/** Records runs, newest first, by the bytes that each copied of a 100 MB backup. */
async function runs(...copied: number[]): Promise<void> {
  await world.database.transaction(async tx => {
    await tx.deleteFrom('backup').execute()
    for (const kopiert of copied.toReversed()) {
      const report: BackupReport = {
        ok: true,
        zeit: 1,
        archiv: 'x',
        bytes: 1,
        orte: 1,
        gesichert: 2 * MB,
        warnungen: [],
        plaetze: [{ ort: '/target', bytes: 100 * MB, kopiert }],
      }
      const row = { started_at: 1, step: 'schreiben' as const, done: 0, total: null, ok: 1 as const }
      await tx
        .insertInto('backup')
        .values({ ...row, report: JSON.stringify(report) })
        .execute()
    }
  })
}
const warned = (free: number | null, isUsed = true) =>
  spaceWarnings(world.database.read, [{ folder: '/target', freeBytes: free, isUsed }])

test('before the first run the whole library has to fit', async () => {
  await runs()
  expect(await warned(2 * MB, false)).toEqual(['space-too-small'])
  expect(await warned(4 * MB, false)).toEqual([])
})

test('later only what is new; a warning comes while there is space for less than a week', async () => {
  await runs(10 * MB, 10 * MB, 100 * MB)
  expect(await warned(MB)).toEqual(['space-too-small'])
  expect(await warned(40 * MB)).toEqual(['space-runs-out'])
  // The first run copied everything, so it is not used to estimate the next ones.
  expect(await warned(70 * MB)).toEqual([])
})

test('what is unknown is not warned about', async () => {
  await runs(10 * MB)
  expect(await warned(null)).toEqual([])
  // Archives of an earlier version, whose reports contain no sizes.
  await runs()
  expect(await warned(MB)).toEqual([])
})
