/**
 * The stock beside the archives: contents are stored once, reread in turn, replaced when damaged, and removed
 * when no archive names them.
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { leftToLong } from '../../../../test/support/left-out.ts'
import { sha256 } from '../../../base/hash/sha256.ts'
import { newId } from '../../../base/ids.ts'
import { DAY } from '../../../contract/values/units.ts'
import { checkArchive } from '../../restore/restore.ts'
import { createFolderPlace } from '../places/folder-place.ts'
import type { Place } from '../places/place.ts'
import { openBackupInstance } from '../testing.ts'
import { prune, resolveSetAsideContents } from './prune.ts'

let world: Awaited<ReturnType<typeof openBackupInstance>>
let clock: number
let second: string
beforeEach(async () => {
  world = await openBackupInstance()
  clock = Date.now()
  second = join(world.root, 'second')
})
afterEach(() => world[Symbol.asyncDispose]())

async function run() {
  const backup = world.backup({ now: () => clock })
  const report = await (await backup.start()).report
  await backup.stop()
  return report
}
async function runEvery(days: number, times = 1) {
  const reports = []
  for (let count = 0; count < times; count++) {
    clock += days * DAY
    reports.push(await run())
  }
  return reports
}
/** Runs on some days of a month. */
const runForAMonth = () => runEvery(5, 6)
const fileOf = (folder: string, text: string) =>
  join(folder, 'bestand', sha256(text).slice(0, 2), sha256(text))
const contents = (folder: string) =>
  [...new Bun.Glob('bestand/??/*').scanSync(folder)].map(name => name.slice(-64)).sort()
const archives = async (folder: string) =>
  (await readdir(folder)).filter(name => name.endsWith('.tar')).sort()
const isWhole = async (folder: string) => {
  for (const name of await archives(folder)) await checkArchive(join(folder, name), () => {})
}
const drop = (path: string) =>
  world.database.transaction(tx => tx.deleteFrom('media').where('path', '=', path).execute())

test('equal contents are copied once, a second run copies none, and each archive is whole', async () => {
  for (const path of ['a.txt', 'b.txt', 'c/d.txt']) await world.store(path, 'equal')
  await world.store('other.txt', 'other')
  const first = await run()
  expect(contents(world.target)).toEqual([sha256('equal'), sha256('other')].sort())
  expect(first.plaetze).toMatchObject([{ ort: world.target, kopiert: first.bytes + 10 }])
  clock += DAY
  const again = await run()
  expect(again.plaetze).toMatchObject([{ kopiert: again.bytes, bytes: first.bytes + again.bytes + 10 }])
  await isWhole(world.target)
})

leftToLong(
  'the newest archives of weeks and months stay as set, with their contents; the state says why',
  async () => {
    Object.assign(world.environment, { SICHERUNG_BEHALTEN: '1', SICHERUNG_WOCHEN: '2' })
    clock = new Date('2026-11-04T12:00:00').getTime()
    const reports = []
    for (const text of ['one', 'two', 'three', 'four']) {
      await world.store(`${text}.txt`, text)
      reports.push(...(await runEvery(7)))
      await drop(`${text}.txt`)
    }
    expect(await archives(world.target)).toEqual(reports.slice(-2).map(({ archiv }) => archiv!))
    expect(contents(world.target)).toEqual([sha256('three'), sha256('four')].sort())
    const backup = world.backup()
    expect((await backup.state()).archive.map(({ gruende }) => gruende)).toEqual([
      ['anzahl', 'woche', 'vollstaendig'],
      ['woche'],
    ])
    await backup.stop()
  },
)

test('a content that was cut short or removed is copied anew by the next run', async () => {
  for (const text of ['one', 'two']) await world.store(`${text}.txt`, text)
  await run()
  await writeFile(fileOf(world.target, 'one'), 'on')
  await rm(fileOf(world.target, 'two'))
  clock += DAY
  expect(await run()).toMatchObject({ ok: true })
  await isWhole(world.target)
})

describe('a content with another byte is found within 30 days', () => {
  const damage = (folder: string) => writeFile(fileOf(folder, 'good'), 'evil')
  const findingsIn = (reports: Awaited<ReturnType<typeof runEvery>>) =>
    reports.filter(({ warnungen_codes }) => warnungen_codes?.includes('stock-repaired'))

  test('told once, and copied anew from the library', async () => {
    await world.store('a.txt', 'good')
    await run()
    await damage(world.target)
    const reports = await runForAMonth()
    expect(findingsIn(reports)).toHaveLength(1)
    expect(reports.every(({ ok }) => ok)).toBe(true)
    expect(world.messages).toEqual([
      expect.stringMatching(/^sicherung: In der Sicherung waren Dateien beschädigt/),
    ])
    expect(await readFile(fileOf(world.target, 'good'), 'utf8')).toBe('good')
    await isWhole(world.target)
  })

  leftToLong.each(['first', 'second'])(
    'at the %s target: from the other one, where the library has it no more',
    async at => {
      Object.assign(world.environment, { SICHERUNG_ZWEITZIEL: second, SICHERUNG_BEHALTEN: '50' })
      await world.store('a.txt', 'good')
      await run()
      await drop('a.txt')
      await damage(at === 'first' ? world.target : second)
      expect(findingsIn(await runForAMonth())).toHaveLength(1)
      for (const folder of [world.target, second]) await isWhole(folder)
    },
  )

  leftToLong(
    'where no other copy is left: named by every run from then on, and refused by restore',
    async () => {
      world.environment.SICHERUNG_BEHALTEN = '50'
      await world.store('bilder/a.txt', 'good')
      const { archiv } = await run()
      await drop('bilder/a.txt')
      await damage(world.target)
      const reports = await runForAMonth()
      const failed = reports.filter(({ ok }) => !ok)
      expect(failed.length).toBeGreaterThan(1)
      expect(failed).toEqual(reports.slice(-failed.length))
      for (const { fehler, fehler_codes } of failed)
        expect([fehler, fehler_codes]).toEqual([
          expect.stringContaining('dateien/bilder/a.txt'),
          ['backup-contents-damaged'],
        ])
      await expect(checkArchive(join(world.target, archiv!), () => {})).rejects.toThrow(
        'dateien/bilder/a.txt',
      )
      // Uploading the same bytes again repairs it.
      await world.store('bilder/wieder.txt', 'good')
      expect((await runEvery(1))[0]).toMatchObject({ ok: true })
      await checkArchive(join(world.target, archiv!), () => {})
    },
  )
})

leftToLong('an archive with another byte is found, told, and replaced from the other target', async () => {
  Object.assign(world.environment, { SICHERUNG_ZWEITZIEL: second, SICHERUNG_BEHALTEN: '50' })
  await world.store('a.txt', 'good')
  const { archiv } = await run()
  const file = join(world.target, archiv!)
  const bytes = await readFile(file)
  await writeFile(file, Buffer.from(bytes).fill('x', 66_000, 66_010))
  const codes = (await runForAMonth()).flatMap(({ warnungen_codes }) => warnungen_codes ?? [])
  expect(codes.filter(code => code === 'stock-repaired')).toHaveLength(1)
  expect((await readFile(file)).equals(bytes)).toBe(true)
})

describe('damaged archives without another copy', () => {
  const spoil = async (name: string) => {
    const file = join(world.target, name)
    await writeFile(file, Buffer.from(await readFile(file)).fill('x', 66_000, 66_010))
  }
  beforeEach(async () => {
    world.environment.SICHERUNG_BEHALTEN = '50'
    await world.store('a.txt', 'good')
    await run()
  })

  test('are all found and named, also while one of them is found again by every run', async () => {
    await runEvery(1, 2)
    const spoilt = (await archives(world.target)).slice(0, 2)
    for (const name of spoilt) await spoil(name)
    const last = (await runForAMonth()).at(-1)!
    expect(last.fehler_codes).toEqual(['backup-archives-damaged'])
    for (const name of spoilt) expect(last.fehler).toContain(name)
  })

  test('do not hide a damaged content that only they may name, and each run makes an archive', async () => {
    const [name] = await archives(world.target)
    await drop('a.txt')
    await writeFile(join(world.target, name!), 'nothing')
    await writeFile(fileOf(world.target, 'good'), 'evil')
    const reports = await runForAMonth()
    expect(reports.filter(({ warnungen_codes }) => warnungen_codes?.includes('stock-repaired'))).toEqual([])
    expect(reports.every(({ archiv }) => archiv !== undefined)).toBe(true)
    const last = reports.at(-1)!
    expect(last.fehler_codes).toEqual(['backup-contents-damaged', 'backup-archives-damaged'])
    expect(last.fehler).toContain(sha256('good'))
  })
})

describe('thinning', () => {
  const place = () => createFolderPlace(world.target, newId)
  const KEEP = { count: 1, weeks: 0, months: 0 }

  test('removes the contents that no remaining archive names, and nothing else', async () => {
    world.environment.SICHERUNG_BEHALTEN = '2'
    for (const text of ['one', 'two', 'three', 'four']) {
      await world.store('replaced.txt', text).catch(async () => {
        await drop('replaced.txt')
        await world.store('replaced.txt', text)
      })
      await runEvery(1)
    }
    expect(contents(world.target)).toEqual([sha256('three'), sha256('four')].sort())
    await isWhole(world.target)
  })

  test('brings back what an archive names that was published after the contents were set aside', async () => {
    await world.store('a.txt', 'good')
    const { archiv } = await run()
    const [file, hidden] = [join(world.target, archiv!), join(world.root, 'hidden.tar')]
    const bytes = await readFile(file)
    await rm(file)
    const folder = place()
    const racing: Place = {
      ...folder,
      async setAside(sum) {
        await folder.setAside(sum)
        await writeFile(hidden, bytes)
        await writeFile(file, bytes)
      },
    }
    await prune(racing, KEEP, '')
    await isWhole(world.target)
  })

  test('that died is settled: named contents come back, others go', async () => {
    await world.store('a.txt', 'good')
    await run()
    const unnamed = sha256('unnamed')
    await place().setAside(sha256('good'))
    await writeFile(join(world.target, 'bestand/weg', unnamed), 'unnamed')
    await resolveSetAsideContents(place())
    expect([contents(world.target), await readdir(join(world.target, 'bestand/weg'))]).toEqual([
      [sha256('good')],
      [],
    ])
  })

  test('pauses while the database lacks changes: no archive goes, and the report says so', async () => {
    world.environment.SICHERUNG_BEHALTEN = '1'
    await world.store('a.txt', 'good')
    await run()
    await drop('a.txt')
    const lostChanges = { find: async () => 'fundus-stand' }
    for (const found of [lostChanges, { find: async () => null }]) {
      clock += DAY
      const backup = world.backup({ now: () => clock, lostChanges: found })
      const report = await (await backup.start()).report
      const isPaused = found === lostChanges
      expect([report.ok, report.warnungen_codes!.includes('thinning-paused')]).toEqual([true, isPaused])
      expect(await archives(world.target)).toHaveLength(isPaused ? 2 : 1)
      expect(contents(world.target)).toHaveLength(isPaused ? 1 : 0)
      const { archive } = await backup.state()
      expect(archive.every(({ gruende }) => gruende.length > 0)).toBe(true)
      await backup.stop()
    }
  })

  test('an archive that cannot be read blocks it, and the report says so', async () => {
    world.environment.SICHERUNG_BEHALTEN = '2'
    await world.store('a.txt', 'good')
    await run()
    await drop('a.txt')
    await writeFile(join(world.target, 'fundus-2099-01-01-000000.tar'), 'from a later version')
    const [, report] = await runEvery(1, 2)
    expect(report!.warnungen_codes).toContain('stock-not-thinned')
    expect(contents(world.target)).toEqual([sha256('good')])
  })
})

test('contents that another run removes meanwhile are copied anew after the archive has its name', async () => {
  await world.store('a.txt', 'good')
  await run()
  const storage = {
    ...world.storage,
    // The new file is read in the middle of the run, when the stock has already been looked at.
    async withLocalFile<T>(name: string, use: (file: string) => Promise<T>) {
      if (name.includes('b~')) await rm(fileOf(world.target, 'good'))
      return world.storage.withLocalFile(name, use)
    },
  }
  await world.store('b', 'new')
  const backup = world.backup({ storage, now: () => clock + DAY })
  expect(await (await backup.start()).report).toMatchObject({ ok: true })
  await backup.stop()
  await isWhole(world.target)
})
