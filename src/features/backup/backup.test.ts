import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { mkdir, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../../database/database.ts'
import type { Coordination } from '../../jobs/coordination.ts'
import { openBackupInstance } from './testing.ts'

const world = await openBackupInstance()
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(async () => {
  world.messages.length = 0
  for (const name of Object.keys(world.environment)) delete world.environment[name]
  await world.database.transaction(async tx => {
    await tx.deleteFrom('backup').execute()
    await tx.deleteFrom('lease').execute()
  })
})
await world.store('a.txt', 'a')
const run = async (backup: ReturnType<typeof world.backup>) => (await backup.start()).report
/** Also waits for what follows the report, such as the message about it. */
async function runOnce() {
  const backup = world.backup()
  const report = await run(backup)
  await backup.stop()
  return report
}
const fail = () => {
  world.environment.SICHERUNG_ZIEL = '/dev/null/nowhere'
}
const mend = () => {
  delete world.environment.SICHERUNG_ZIEL
}

/** A database whose snapshots wait, so that a run lasts as long as the test wants. */
function gated() {
  const gate = Promise.withResolvers<void>()
  const snapshot: Database['snapshot'] = async work => {
    await gate.promise
    return world.database.snapshot(work)
  }
  return { database: { ...world.database, snapshot }, open: gate.resolve }
}

describe('messages', () => {
  test('of success nobody is told', async () => {
    expect((await runOnce()).ok).toBe(true)
    expect((await runOnce()).ok).toBe(true)
    expect(world.messages).toEqual([])
  })

  test('each failure is told at once, recovery once', async () => {
    fail()
    await runOnce()
    expect(world.messages).toEqual([
      expect.stringMatching(/^sicherung: .*fehlgeschlagen\. Das Ziel der Sicherung .+\.$/),
    ])
    await runOnce()
    expect(world.messages).toHaveLength(2)
    mend()
    const { archiv } = await runOnce()
    expect(world.messages[2]).toBe(`sicherung: Die Sicherung gelingt wieder: ${archiv}.`)
    await runOnce()
    expect(world.messages).toHaveLength(3)
  })

  test('a run that died is told by whoever looks first, and by nobody else', async () => {
    await world.database.transaction(tx =>
      tx
        .insertInto('backup')
        .values({ started_at: 1, step: 'schreiben', done: 5, total: 9, report: null, ok: null })
        .execute(),
    )
    const reports = await Promise.all([1, 2, 3].map(() => world.backup().lastReport()))
    for (const report of reports) expect(report).toMatchObject({ ok: false, archiv: null })
    expect(world.messages).toEqual([expect.stringMatching(/mittendrin/)])
  })

  test('a run that died is told of also when only the daily job looks', async () => {
    await world.database.transaction(tx =>
      tx
        .insertInto('backup')
        .values({ started_at: 7, step: 'schreiben', done: 5, total: 9, report: null, ok: null })
        .execute(),
    )
    expect(await world.backup().lastRunStartedAt()).toBe(7)
    expect(world.messages).toEqual([expect.stringMatching(/mittendrin/)])
  })
})

describe('the daily run', () => {
  test('rejects when it fails, with the sentence', async () => {
    await world.backup().run()
    fail()
    await expect(world.backup().run()).rejects.toThrow('Das Ziel der Sicherung')
  })

  test('knows when the last one began, however it ended', async () => {
    expect(await world.backup().lastRunStartedAt()).toBeNull()
    fail()
    const before = Date.now()
    await runOnce()
    expect(await world.backup().lastRunStartedAt()).toBeWithin(before, Date.now() + 1)
  })
})

describe('a run', () => {
  test('of which another process is the holder is joined', async () => {
    const { database, open } = gated()
    const [here, there] = [world.backup({ database }), world.backup()]
    const one = await here.start()
    const two = await there.start()
    open()
    expect(await one.report).toEqual(await two.report)
    expect(await world.database.read.selectFrom('backup').select('nr').execute()).toHaveLength(1)
  })

  test('that was joined and turns out to be dead is followed by another one', async () => {
    await world.database.transaction(async tx => {
      const row = { started_at: 7, step: 'schreiben' as const, done: 5, total: 9, report: null, ok: null }
      await tx.insertInto('backup').values(row).execute()
      await tx
        .insertInto('lease')
        .values({ task: 'backup', holder: 'dead', until: Date.now() + 30_000 })
        .execute()
    })
    const [waited, unwatched] = [await world.backup().start(), await world.backup().start()]
    await world.database.transaction(tx => tx.deleteFrom('lease').execute())
    expect(await waited.report).toMatchObject({ ok: true, archiv: expect.any(String) })
    expect(await unwatched.report).toMatchObject({ ok: true })
    expect(world.messages[0]).toMatch(/mittendrin/)
  })

  test('whose task goes to another one stops, and leaves nothing', async () => {
    const before = await readdir(world.target)
    const taken: Coordination = {
      isHeld: async () => true,
      exclusively: async (_, work) => ({ result: await work(AbortSignal.abort(new Error('gone'))) }),
    }
    const backup = world.backup({ coordination: taken })
    const report = await run(backup)
    expect(report).toMatchObject({ ok: false, archiv: null })
    expect(report.fehler).toMatch(/anderer Prozess/)
    expect(await readdir(world.target)).toEqual(before)
  })

  test('after the stop does not begin', async () => {
    const backup = world.backup()
    await backup.stop()
    expect(await run(backup)).toMatchObject({ ok: false })
  })

  test('at an unexpected error says so, and the log says what it was', async () => {
    const snapshot = () => Promise.reject(new Error('disk image is malformed'))
    const report = await run(world.backup({ database: { ...world.database, snapshot } }))
    expect(report.fehler).toMatch(/unerwarteten Fehler/)
    expect(world.lines.join('')).toContain('disk image is malformed')
    expect((await readdir(world.target)).filter(name => name.startsWith('.'))).toEqual([])
  })

  test('is found in the state while it lasts', async () => {
    const { database, open } = gated()
    const backup = world.backup({ database })
    const { report } = await backup.start()
    expect(await backup.state()).toMatchObject({ laeuft: true, fortschritt: { schritt: 'schreiben' } })
    open()
    await report
    expect(await backup.state()).toMatchObject({ laeuft: false, fortschritt: null, letzter: { ok: true } })
  })
})

test('archives lie where the setting says', async () => {
  world.environment.SICHERUNG_ZIEL = join(world.root, 'elsewhere')
  const { archiv } = await runOnce()
  expect((await readdir(join(world.root, 'elsewhere'))).sort()).toEqual(['bestand', archiv!])
})

test('runs within one second are told apart in their order, whatever was thinned out', async () => {
  const target = join(world.root, 'one-second')
  Object.assign(world.environment, { SICHERUNG_ZIEL: target, SICHERUNG_BEHALTEN: '2' })
  const at = Date.now()
  const backup = world.backup({ now: () => at })
  const names: string[] = []
  for (let count = 0; count < 5; count++) names.push((await run(backup)).archiv!)
  expect(names.map(name => /\d{6}(.*)\.tar$/.exec(name)?.[1])).toEqual(['', '-1', '-2', '-3', '-4'])
  expect((await readdir(target)).sort()).toEqual(['bestand', ...names.slice(-2)].sort())
})

test('a data folder that was moved takes its archives along: their place is noted as the one inside it', async () => {
  const { archiv } = await runOnce()
  expect(await world.backup().lastReport()).toMatchObject({ ok: true, archiv, orte: 1 })
  const moved = join(world.root, 'moved')
  await mkdir(moved)
  await rename(world.target, join(moved, 'sicherung'))
  expect(await world.backup({ dataDir: moved }).lastReport()).toMatchObject({ archiv, orte: 1 })
  expect(await world.backup().lastReport()).toMatchObject({ ok: true, archiv, orte: 0 })
})
