/**
 * What the clean-up of the trash removes: entries that are too old, then the oldest ones until the rest fits.
 * It also runs at startup.
 */
import { beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { expectError, read, store } from '../support/api.ts'
import { ADMIN_ENV, dash, signIn } from '../support/dashboard.ts'
import { onDatabase, storedFiles } from '../support/data-folder.ts'
import { sharedService } from '../support/shared-service.ts'
import { emptyTrash, restore, throwAway, trashOf } from '../support/trash.ts'
import { eventually } from '../support/wait.ts'

const DAY = 24 * 60 * 60 * 1000
const on = sharedService({ env: ADMIN_ENV })
let session = ''
beforeAll(async () => {
  session = await signIn(on.service)
})
beforeEach(async () => {
  await emptyTrash(on.service, session)
})
const cap = (value: number | string | null) =>
  dash(on.service, 'einstellungen', { method: 'PUT', json: { PAPIERKORB_MAX_MB: value }, session })
const paths = async () => (await trashOf(on.service, session)).eintraege.map(entry => entry.path).sort()
async function addToTrash(path: string, size: number): Promise<number> {
  await store(on.service, on.token, path, 'x'.repeat(size))
  return (await throwAway(on.service, session, path))[0]!
}
/** The clean-up runs every hour and at startup. */
async function cleanedUp(expected: string[]): Promise<void> {
  await on.service.restart()
  await eventually('the clean-up', async () => (await paths()).join() === expected.join())
}

describe('the size cap', () => {
  test.each([
    [20480, 21_474_836_480],
    [1, 1_048_576],
    ['0,5', 524_288],
    [0.001, 1049],
  ])('%p MB is told as %p bytes, at once', async (value, maxBytes) => {
    expect((await cap(value)).status).toBe(200)
    expect((await trashOf(on.service, session)).maxBytes).toBe(maxBytes)
    await cap(null)
    expect((await trashOf(on.service, session)).maxBytes).toBe(21_474_836_480)
  })

  test.each([0, -1, 'viel'])('%p is 400', async value => {
    await expectError(await cap(value), 400, /PAPIERKORB_MAX_MB/)
  })

  test('the oldest go until the rest fits, with their objects; the others stay restorable', async () => {
    await addToTrash('cap/a.txt', 500)
    await addToTrash('cap/b.txt', 500)
    const last = await addToTrash('cap/c.txt', 500)
    await cap(0.001)
    await cleanedUp(['cap/b.txt', 'cap/c.txt'])
    expect(await trashOf(on.service, session)).toMatchObject({ gesamt: 2, bytes: 1000 })
    await eventually(
      'the object to go',
      async () => !(await storedFiles(on.service.dataDir)).some(name => /cap.\d*~?a~/.test(name)),
      8000,
    )
    await restore(on.service, session, last)
    expect((await read(on.service, 'cap/c.txt')).status).toBe(200)
    const history = await dash(on.service, 'verlauf?pfad=cap/a.txt&was=entfernt', { session })
    expect(await history.json()).toMatchObject({ eintraege: [{ wer: 'Fundus', bytes: 500 }] })
    await cap(null)
  })

  test('below it nothing goes', async () => {
    await addToTrash('fits/a.txt', 500)
    await addToTrash('fits/b.txt', 500)
    await cap(0.001)
    await cleanedUp(['fits/a.txt', 'fits/b.txt'])
    await cap(null)
  })
})

test('the age: 30 days and not longer', async () => {
  const numbers = [await addToTrash('age/old.txt', 5), await addToTrash('age/young.txt', 5)]
  const days = [30 * DAY + 60_000, 30 * DAY - 600_000]
  for (const [at, nr] of numbers.entries())
    await onDatabase(
      on.service.dataDir,
      `update trash set deleted_at = ${Date.now() - days[at]!} where nr = ${nr}`,
    )
  await cleanedUp(['age/young.txt'])
})
