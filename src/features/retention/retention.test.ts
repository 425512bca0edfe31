/** Which files the retention rules move, when, and how the files come back. The test sets the clock. */
import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { DAY, HOUR } from '../../contract/values/units.ts'
import { WHOLE_LIBRARY } from '../../http/access/library-area.ts'
import { createFileChanges } from '../library/change/change-files.ts'
import { findByPath } from '../media/media.store.ts'
import { createRetention } from './retention.ts'
import { openRetentionInstance, ruleFromRetrieval, ruleFromUpload } from './testing.ts'

const world = await openRetentionInstance()
const { database, clock, retention, by, save, storeAged, paths, movedPaths } = world
afterAll(() => world[Symbol.asyncDispose]())
afterEach(world.clear)

const run = () => retention.runNow(by)
const files = createFileChanges({
  ...world,
  newId: () => 'x'.repeat(16),
  retrievals: { flush: async () => {}, writeDown: async () => {} },
  onChanged: () => {},
})

describe('what is due', () => {
  test('by upload: the day counts, one millisecond earlier nothing goes', async () => {
    await save(ruleFromUpload('a', 30))
    await storeAged('a/old.png', 30)
    await storeAged('a/young.png', 30)
    await database.transaction(tx =>
      tx
        .updateTable('media')
        .set({ updated_at: clock.now - 30 * DAY + 1 })
        .where('path', '=', 'a/young.png')
        .execute(),
    )
    expect(await run()).toEqual({ files: 1, bytes: 'a/old.png'.length })
    expect([await paths(), await movedPaths()]).toEqual([['a/young.png'], ['a/old.png']])
  })

  test('only below its folder; the longest folder wins, and an exempt one stays', async () => {
    await save(
      ruleFromUpload('', 100),
      ruleFromUpload('a', 10),
      ruleFromUpload('a/keep', null),
      ruleFromUpload('a/keep/not', 1),
    )
    const all = ['top.png', 'ab/x.png', 'a/x.png', 'a/deep/er/x.png', 'a/keep/x.png', 'a/keep/not/x.png']
    for (const path of all) await storeAged(path, 50)
    await run()
    expect(await movedPaths()).toEqual(['a/deep/er/x.png', 'a/keep/not/x.png', 'a/x.png'])
    // The failing twin: without the other rules, the first one does not move files of 50 days.
    clock.now += 50 * DAY
    await run()
    expect(await paths()).toEqual(['a/keep/x.png'])
    clock.now -= 50 * DAY
  })

  test('by retrieval: the last one counts, and without one the upload', async () => {
    await save(ruleFromRetrieval('a', 30))
    await storeAged('a/used.png', 300, 29)
    await storeAged('a/unused.png', 300, 31)
    await storeAged('a/never.png', 31)
    await storeAged('a/new.png', 29)
    await run()
    expect([await paths(), await movedPaths()]).toEqual([
      ['a/new.png', 'a/used.png'],
      ['a/never.png', 'a/unused.png'],
    ])
    expect(world.flushed.calls).toBeGreaterThan(0)
  })

  test('a file retrieved long ago and overwritten since starts anew', async () => {
    await save(ruleFromRetrieval('a', 30))
    await storeAged('a/x.png', 100, 100)
    await world.store('a/x.png', 'new content')
    expect(await run()).toEqual({ files: 0, bytes: 0 })
    clock.now += 31 * DAY
    expect((await run()).files).toBe(1)
    clock.now -= 31 * DAY
  })

  test('renaming and moving make no file younger, overwriting does', async () => {
    await save(ruleFromUpload('', 30))
    for (const name of ['renamed', 'moved', 'overwritten']) await storeAged(`a/${name}.png`, 31)
    await files.rename('a/renamed.png', 'other.png', by)
    await files.move(['a/moved.png'], 'b', by)
    await world.store('a/overwritten.png', 'new')
    await run()
    expect([await paths(), await movedPaths()]).toEqual([
      ['a/overwritten.png'],
      ['a/other.png', 'b/moved.png'],
    ])
  })

  test.each([ruleFromUpload('a', 30), ruleFromRetrieval('a', 30)])(
    'restoring from the trash starts anew: %j',
    async rule => {
      await save(rule)
      await storeAged('a/x.png', 100, 100)
      const { nr } = (await findByPath(database.read, 'a/x.png'))!
      await run()
      const [entry] = await database.read.selectFrom('trash').selectAll().execute()
      await world.trash.restore([entry!.nr], by, { allowedArea: WHOLE_LIBRARY })
      expect(await run()).toEqual({ files: 0, bytes: 0 })
      // Neither a later rename nor the restored counters change that.
      await files.rename('a/x.png', 'y.png', by)
      clock.now += 30 * DAY - 1
      expect(await run()).toEqual({ files: 0, bytes: 0 })
      expect((await findByPath(database.read, 'a/y.png'))?.nr).toBe(nr)
      clock.now += 1
      expect((await run()).files).toBe(1)
      clock.now -= 30 * DAY
    },
  )

  test('times in the future are not due', async () => {
    await save(ruleFromUpload('', 1), ruleFromRetrieval('b', 1))
    await storeAged('a.png', -400)
    await storeAged('b/a.png', 10, -400)
    expect(await run()).toEqual({ files: 0, bytes: 0 })
  })

  test('without rules nothing goes, and the daily run does nothing', async () => {
    await storeAged('a.png', 9999)
    expect(await run()).toEqual({ files: 0, bytes: 0 })
    await retention.runDaily(new AbortController().signal)
    expect(await paths()).toEqual(['a.png'])
  })
})

describe('the trial run', () => {
  test('counts what would go by each rule, names five, the longest due first, and changes nothing', async () => {
    const rules = [ruleFromUpload('', 10), ruleFromUpload('a', null), ruleFromRetrieval('b', 5)]
    for (const days of [20, 60, 30, 50, 40, 11, 9]) await storeAged(`x${days}.png`, days)
    for (const path of ['a/1.png', 'b/1.png']) await storeAged(path, 99, 6)
    const trial = await retention.tryRules(rules)
    expect(trial.map(({ files, bytes, examples }) => [files, bytes, examples])).toEqual([
      [6, 6 * 'x20.png'.length, ['x60.png', 'x50.png', 'x40.png', 'x30.png', 'x20.png']],
      [0, 0, []],
      [1, 'b/1.png'.length, ['b/1.png']],
    ])
    expect([(await paths()).length, await movedPaths(), await retention.rules(WHOLE_LIBRARY)]).toEqual([
      9,
      [],
      [],
    ])
    await save(...rules)
    expect((await run()).files).toBe(7)
  })

  test('more folders than one page holds', async () => {
    await storeAged('many/0/a.png', 50)
    const row = (await findByPath(database.read, 'many/0/a.png'))!
    const { nr: _nr, folder: _folder, natural_key: _key, ...kept } = row
    const others = Array.from({ length: 1100 }, (_, at) => at + 1)
    await database.transaction(async tx => {
      for (const at of others) {
        const id = `${at}`.padStart(16, '0')
        await tx
          .insertInto('media')
          .values({ ...kept, id, path: `many/${at}/a.png` })
          .execute()
      }
    })
    await save(ruleFromUpload('many', 49), ruleFromUpload('many/7', null))
    expect((await retention.tryRules(await retention.rules(WHOLE_LIBRARY)))[0]?.files).toBe(1100)
    expect((await run()).files).toBe(1100)
    expect(await paths()).toEqual(['many/7/a.png'])
  })
})

describe('the history', () => {
  const groups = () =>
    database.read
      .selectFrom('history')
      .select(['action', 'details', 'who', 'path'])
      .where('what', '=', 'geloescht')
      .where('follows', '=', 0)
      .orderBy('nr')
      .execute()

  test('has one entry per rule, and the reason is in the trash', async () => {
    await save(ruleFromUpload('', 10), ruleFromUpload('a', 10))
    for (const path of ['1.png', '2.png', 'a/1.png', 'a/2.png', 'a/b/3.png']) await storeAged(path, 11)
    await run()
    expect((await groups()).map(({ details, who }) => [details, who])).toEqual([
      ['Frist: /', 'anna'],
      ['Frist: a', 'anna'],
    ])
    const reasons = await database.read.selectFrom('trash').select('removal_reason').distinct().execute()
    expect(reasons).toEqual([{ removal_reason: 'frist' }])
  })

  test('what a rule moved comes back as one; what is gone or taken is refused', async () => {
    await save(ruleFromUpload('', 10), ruleFromUpload('a', 10))
    for (const path of ['1.png', 'a/1.png', 'a/2.png', 'a/3.png', 'a/4.png']) await storeAged(path, 11)
    await run()
    const action = (await groups()).find(({ details }) => details === 'Frist: a')!.action!
    const gone = await database.read
      .selectFrom('trash')
      .select('nr')
      .where('path', '=', 'a/3.png')
      .executeTakeFirstOrThrow()
    await world.trash.empty([gone.nr], by, WHOLE_LIBRARY)
    await world.store('a/4.png', 'somebody else’s')
    const {
      files,
      refused,
      action: undo,
    } = await world.takeBack(action, { actor: by, accountArea: WHOLE_LIBRARY })
    expect([files, refused.map(({ path, reason: why }) => [path, why.code])]).toEqual([
      2,
      [
        ['a/3.png', 'changed-since'],
        ['a/4.png', 'path-taken'],
      ],
    ])
    expect([await paths(), await movedPaths()]).toEqual([
      ['a/1.png', 'a/2.png', 'a/4.png'],
      ['1.png', 'a/4.png'],
    ])
    const back = await database.read
      .selectFrom('history')
      .select('path')
      .where('action', '=', undo)
      .where('what', '=', 'wiederhergestellt')
      .orderBy('path')
      .execute()
    expect(back.map(({ path }) => path)).toEqual(['a/1.png', 'a/2.png'])
    // The next run leaves them alone, and a second undo restores nothing.
    expect((await run()).files).toBe(0)
    expect((await world.takeBack(action, { actor: by, accountArea: WHOLE_LIBRARY })).files).toBe(0)
  })

  test('what somebody deleted by hand is not taken back by its action', async () => {
    await storeAged('a.png', 1)
    await files.remove(['a.png'], by)
    const [entry] = await groups()
    await expect(
      world.takeBack(entry!.action!, { actor: by, accountArea: WHOLE_LIBRARY }),
    ).rejects.toMatchObject({
      code: 'action-absent',
    })
  })
})

describe('the rules', () => {
  test('are kept in their order; a change is recorded once, the same again not', async () => {
    const rules = [ruleFromUpload('b', 3), { folder: 'a', days: null, start: null }]
    await save(...rules)
    await save(...rules)
    expect(await retention.rules(WHOLE_LIBRARY)).toEqual(rules)
    await save()
    expect(await retention.rules(WHOLE_LIBRARY)).toEqual([])
    const entries = await database.read
      .selectFrom('administration')
      .select(['what', 'old', 'new'])
      .where('what', '=', 'fristen_geaendert')
      .orderBy('nr', 'desc')
      .limit(2)
      .execute()
    const text = 'b: 3 (hochgeladen), a: –'
    expect(entries).toEqual([
      { what: 'fristen_geaendert', old: text, new: null },
      { what: 'fristen_geaendert', old: null, new: text },
    ])
  })

  test('a change ends a run that goes on', async () => {
    await save(ruleFromUpload('', 10))
    await storeAged('a.png', 11)
    const { slowRead } = database
    let isRunning = false
    const changing = {
      ...database,
      get slowRead() {
        // Saves other rules between the reading of the rules and the first step.
        if (isRunning) void save(ruleFromUpload('', 5))
        return slowRead
      },
    }
    const other = createRetention({
      ...world,
      database: changing,
      newId: () => 'y'.repeat(16),
      clockWatch: { mayRemoveByAge: async () => true },
      retrievals: { flush: async () => {} },
      relocations: { kick: () => {} },
      trashMaxBytes: () => Number.MAX_SAFE_INTEGER,
    })
    isRunning = true
    expect(await other.runNow(by)).toEqual({ files: 0, bytes: 0 })
    expect(await paths()).toEqual(['a.png'])
    // The next run uses the changed rules.
    expect((await run()).files).toBe(1)
  })

  test('a run that is told to stop leaves the rest to the next', async () => {
    await save(ruleFromUpload('', 10))
    await storeAged('a.png', 11)
    await retention.runDaily(AbortSignal.abort())
    expect(await paths()).toEqual(['a.png'])
    await retention.runDaily(new AbortController().signal)
    expect(await paths()).toEqual([])
  })

  test('one run at a time', async () => {
    await world.coordination.exclusively('retention', async () => {
      await expect(run()).rejects.toMatchObject({ code: 'retention-running', status: 409 })
    })
    expect(await run()).toEqual({ files: 0, bytes: 0 })
  })
})

describe('dates', () => {
  test('the first run at or after the day; nothing for a folder without files and for an exemption', async () => {
    await save(
      ruleFromUpload('a', 30),
      ruleFromRetrieval('b', 10),
      ruleFromUpload('empty', 5),
      ruleFromUpload('c', null),
    )
    await storeAged('a/old.png', 27)
    await storeAged('a/new.png', 1)
    await storeAged('a/deep/late.png', 2)
    await storeAged('b/due.png', 100)
    await storeAged('c/x.png', 100)
    const { nextRun, dates } = await retention.dates(WHOLE_LIBRARY)
    const at = (days: number) => {
      const moment = new Date(clock.now + days * DAY)
      moment.setHours(5, 0, 0, 0)
      return moment.getTime()
    }
    expect(nextRun).toBe(at(nextRun > at(0) ? 1 : 0))
    expect(dates).toEqual([
      // Due in three days at noon, so the run on the morning of the fourth day moves it.
      { folder: 'a', next: at(4) },
      { folder: 'b', next: nextRun },
      { folder: 'empty', next: null },
      { folder: 'c', next: null },
    ])
    expect(await retention.findForFile('a/old.png')).toEqual({
      rule: ruleFromUpload('a', 30),
      periodStart: clock.now - 27 * DAY,
      endsAt: at(4),
    })
    expect(await retention.findForFile('c/x.png')).toEqual({
      rule: ruleFromUpload('c', null),
      periodStart: null,
      endsAt: null,
    })
    await storeAged('free.png', 1)
    expect(await retention.findForFile('free.png')).toEqual({ rule: null, periodStart: null, endsAt: null })
    await expect(retention.findForFile('a/none.png')).rejects.toMatchObject({ code: 'file-absent' })
  })
})

test('a trash that becomes too large is logged', async () => {
  world.lines.length = 0
  await save(ruleFromUpload('', 10))
  await storeAged('a.png', 11)
  const small = createRetention({
    ...world,
    newId: () => 'z'.repeat(16),
    clockWatch: { mayRemoveByAge: async () => true },
    retrievals: { flush: async () => {} },
    relocations: { kick: () => {} },
    trashMaxBytes: () => 2,
  })
  await small.runNow(by)
  expect(world.lines.splice(0).join()).toContain('the trash is larger than allowed')
})

describe('a wrong clock', () => {
  test('moves nothing by age right after a jump, by schedule or by hand, and does when it was right', async () => {
    await using doubting = await openRetentionInstance({ clock: 'watched' })
    const { retention: other, clock: watched } = doubting
    await doubting.save(ruleFromUpload('', 30))
    await doubting.store('a.png', 'content')
    expect(await other.runNow(by)).toEqual({ files: 0, bytes: 0 })
    watched.now += 40 * DAY
    await expect(other.runNow(by)).rejects.toMatchObject({ code: 'clock-doubted', status: 409 })
    await other.runDaily(new AbortController().signal)
    expect(await doubting.paths()).toEqual(['a.png'])
    // A file is changed an hour later, which shows that the clock is right.
    watched.now += HOUR + 1
    await doubting.store('b.png', 'content')
    await other.runDaily(new AbortController().signal)
    expect(await doubting.paths()).toEqual(['b.png'])
    doubting.lines.length = 0
  })
})
