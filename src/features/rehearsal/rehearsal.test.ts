import { afterAll, describe, expect, test } from 'bun:test'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newId } from '../../base/ids.ts'
import { DAY } from '../../contract/values/units.ts'
import { beginSqliteInstanceReplacement } from '../../database/sqlite/replacement.ts'
import { type BackupTrouble, rehearsalTrouble } from '../../errors/errors.ts'
import { createFolderPlace } from '../backup/places/folder-place.ts'
import { openBackupInstance } from '../backup/testing.ts'
import { openArchiveSource, verifyArchiveSource } from '../restore/archive-source.ts'
import { fillInstance } from '../restore/fill-instance.ts'
import { createSettings } from '../settings/settings.ts'
import { compareRows } from './compare-rows.ts'
import { createRehearsal, type RehearsalParts } from './rehearsal.ts'
import { rehearse } from './rehearse.ts'
import { createSample } from './sample.ts'

const world = await openBackupInstance()
afterAll(() => world[Symbol.asyncDispose]())
const FILES = 30
for (let at = 0; at < FILES; at++) await world.store(`ordner/${at}.txt`, `content ${at}`)
const { report } = await world.backup().start()
const archive = (await report).archiv!
const place = createFolderPlace(world.target, newId)
const never = new AbortController().signal

let now = Date.now()
const { database, storage, log } = world
const parts: RehearsalParts = {
  database,
  storage,
  log,
  newId,
  now: () => now,
  backup: world.backup(),
  settings: { current: () => createSettings({ environment: world.environment, port: 1 }).current() },
  notify: { queue: async (occasion, text) => void world.messages.push(`${occasion}: ${text}`) },
}
const rehearsal = createRehearsal(parts)
/** What the fake thread reports: no trouble, or this. */
let trouble: BackupTrouble | null = null
const quick = createRehearsal(parts, async ({ names: [archiv] }) => {
  if (trouble) throw trouble
  return { archiv: archiv!, ort: world.target, zeilen: 1, dateien: 1, stichprobe: 1 }
})
const onProgress = () => {}

/** Changes a byte of a file while `work` runs. */
async function withDamage(file: string, work: () => Promise<void>) {
  const before = await readFile(file)
  const bytes = Buffer.from(before)
  bytes[bytes.length - 1]! ^= 1
  await writeFile(file, bytes)
  await work().finally(() => writeFile(file, before))
}

async function anyContent(): Promise<string> {
  for await (const page of place.contents())
    for (const { sha256 } of page) return join(world.target, 'bestand', sha256.slice(0, 2), sha256)
  throw new Error('no content')
}

describe('a rehearsal', () => {
  test('restores the newest archive, compares everything, and leaves nothing behind', async () => {
    const { report } = await rehearsal.rehearse(never)
    expect(report).toMatchObject({ ok: true, archiv: archive, ort: world.target, dateien: FILES })
    expect(report.stichprobe).toBe(FILES)
    expect(report.zeilen).toBeGreaterThanOrEqual(FILES)
    expect(await readdir(storage.scratch)).toEqual([])
    expect((await world.backup().state()).probe).toEqual(report)
  })

  test('finds a damaged content and names it', async () => {
    await withDamage(await anyContent(), async () => {
      const { report, english } = await rehearsal.rehearse(never)
      expect(report).toMatchObject({
        ok: false,
        archiv: archive,
        fehler_codes: ['rehearsal-content-differs'],
      })
      expect(report.fehler).toMatch(/„dateien\/ordner\/\d+\.txt“/)
      expect(english).toMatch(/did not have the content/)
    })
    expect(await readdir(storage.scratch)).toEqual([])
  })

  test('tells of a failure once, and of the next success', async () => {
    await quick.rehearse(never)
    world.messages.length = 0
    for (const found of [rehearsalTrouble.contentDiffers('dateien/ordner/7.txt'), null]) {
      trouble = found
      for (let time = 0; time < 2; time++) await quick.rehearse(never)
    }
    expect(world.messages).toEqual([
      expect.stringMatching(/^sicherung: Die Probe der Wiederherstellung ist misslungen\. .*ordner/),
      `sicherung: Die Probe der Wiederherstellung gelingt wieder: ${archive}.`,
    ])
  })

  test('finds a content that is gone, although it is not in the sample', async () => {
    const file = await anyContent()
    const before = await readFile(file)
    await rm(file)
    const { report } = await rehearsal.rehearse(never).finally(() => writeFile(file, before))
    expect(report).toMatchObject({ ok: false, fehler_codes: ['rehearsal-refused'] })
    expect(report.fehler).toMatch(/Der Inhalt von „dateien\/ordner\/\d+\.txt“ .* fehlt/)
  })

  test('finds a damaged archive', async () => {
    await withDamage(join(world.target, archive), async () => {
      const { report } = await rehearsal.rehearse(never)
      expect(report).toMatchObject({ ok: false, fehler_codes: ['rehearsal-refused'] })
    })
  })

  test('an aborted one leaves neither report nor files', async () => {
    const stopping = new AbortController()
    const before = (await world.backup().state()).probe
    const running = rehearsal.rehearse(stopping.signal, () => stopping.abort(new Error('stopped')))
    await expect(running).rejects.toThrow('stopped')
    expect((await world.backup().state()).probe).toEqual(before)
    expect(await readdir(storage.scratch)).toEqual([])
  })

  test('does not begin if the rows would take more than half of the free space', async () => {
    const options = { place, names: [archive], scratch: world.at('unused'), onProgress }
    const refused = rehearse({ ...options, freeBytes: async () => 1000 })
    await expect(refused).rejects.toThrow(/reicht der Platz nicht/)
    expect(await readdir(world.root)).not.toContain('unused')
  })

  test('without an archive there is nothing to rehearse', async () => {
    const options = { place, names: [], scratch: world.at('unused'), onProgress }
    await expect(rehearse(options)).rejects.toThrow(/noch kein Archiv/)
  })
})

test('a row that was restored with another value, or lost, is found', async () => {
  await using source = await openArchiveSource({ place, archive })
  const manifest = await verifyArchiveSource(source, () => {})
  const compareAfter = async (change: string) => {
    const instance = await beginSqliteInstanceReplacement({
      dataDir: world.at(`rows-${newId()}`),
      newId,
      now: Date.now,
    })
    const filled = instance.load(manifest.schema, async into => {
      await fillInstance(into, source, manifest, () => {})
      if (change === 'value')
        await into.tx.updateTable('media').set({ created_at: 5 }).where('nr', '=', 7).execute()
      if (change === 'loss') await into.tx.deleteFrom('media').where('nr', '=', 7).execute()
      if (change === 'surplus')
        await into.tx.insertInto('setting').values({ name: 'x', value: '1' }).execute()
      return compareRows(into, source.archive, manifest, new Set())
    })
    return filled.finally(instance.release)
  }
  expect(await compareAfter('nothing')).toBeGreaterThanOrEqual(FILES)
  await expect(compareAfter('value')).rejects.toThrow(/media\.jsonl, Zeile 7/)
  await expect(compareAfter('loss')).rejects.toThrow(/media\.jsonl, Zeile 7/)
  await expect(compareAfter('surplus')).rejects.toThrow(/setting\.jsonl, Zeile 1/)
})

test('the sample is bounded by number and bytes, and spread over all files', () => {
  const takenOf = (files: number, size: number, space: number, random: () => number) => {
    const sample = createSample({ dateien: files, papierkorb: 0, bytes: files * size }, space, random)
    return Array.from({ length: files }, (_, at) => at).filter(() => sample.takes(size))
  }
  expect(takenOf(10, 5, 1e9, () => 0)).toHaveLength(10)
  for (const random of [() => 0, () => 0.99]) {
    const many = takenOf(100_000, 5, 1e9, random)
    expect([many.length, many.at(-1)! > 99_000]).toEqual([1000, true])
    const large = takenOf(100, 1e9, 1e12, random)
    expect(large).toHaveLength(1)
    expect(takenOf(10, 100, 250, random).length).toBeLessThanOrEqual(2)
  }
  expect(takenOf(10, 100, 0, () => 0)).toEqual([])
})

describe('by itself', () => {
  const reports = async () => (await database.read.selectFrom('rehearsal').select('nr').execute()).length

  test('once a month; after a failure and with a date in the future at once; not if it is turned off', async () => {
    const stepsTo = async (at: number) => {
      now = at
      const before = await reports()
      await quick.rehearseIfDue(never).catch(() => {})
      return (await reports()) - before
    }
    const start = Date.now() + 365 * DAY
    expect(await stepsTo(start)).toBe(1)
    expect(await stepsTo(start + 29 * DAY)).toBe(0)
    world.environment.SICHERUNG_PROBE = 'aus'
    expect(await stepsTo(start + 31 * DAY)).toBe(0)
    delete world.environment.SICHERUNG_PROBE
    trouble = rehearsalTrouble.noArchive()
    expect(await stepsTo(start + 31 * DAY)).toBe(1)
    expect(await stepsTo(start + 32 * DAY)).toBe(1)
    trouble = null
    expect(await stepsTo(start + 33 * DAY)).toBe(1)
    expect(await stepsTo(start + 34 * DAY)).toBe(0)
    expect(await stepsTo(start)).toBe(1)
  })

  test('not before the first backup', async () => {
    world.environment.SICHERUNG_ZIEL = world.at('elsewhere')
    now += 365 * DAY
    const before = await reports()
    await quick.rehearseIfDue(never)
    expect(await reports()).toBe(before)
    delete world.environment.SICHERUNG_ZIEL
  })
})
