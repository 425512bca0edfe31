/** The checks on a real database and a real folder: real faults, and states that only look like one. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { mkdir, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { contentOf } from '../../../test/support/bytes.ts'
import { newId } from '../../base/ids.ts'
import { CHECK_REASONS, STATUS_REUSE_TIME } from '../../contract/service/status.ts'
import { DatabaseBusyError } from '../../database/database.ts'
import { objectName } from '../../storage/names.ts'
import { type Storage, StorageFullError } from '../../storage/storage.ts'
import { NOTHING_LOST, STEADY_CLOCK, useInstance } from '../../testing/instance.ts'
import { saveCheckOutcomes } from '../integrity/findings.store.ts'
import { discardObjects, putRow } from '../media/media.store.ts'
import { createChecks } from './checks.ts'
import { instanceCreatedAt } from './status.store.ts'

const { root, storage: disk, database } = await useInstance()
beforeEach(async () => {
  await database.transaction(async tx => {
    for (const table of ['media', 'trash', 'discard'] as const) await tx.deleteFrom(table).execute()
  })
  await rm(join(root, 'files'), { recursive: true, force: true })
})

const checksWith = (storage: Storage = disk, random = () => 0) =>
  createChecks({
    database,
    storage,
    clockWatch: STEADY_CLOCK,
    lostChanges: NOTHING_LOST,
    space: async () => null,
    backups: {
      lastReport: async () => null,
      lastRehearsal: async () => null,
      instanceCreatedAt: () => instanceCreatedAt(database.read),
    },
    now: Date.now,
    random,
  })

async function putObject(path: string, content = 'content') {
  const id = newId()
  const object = objectName(path, id)
  const staging = await disk.stage()
  await staging.write(new TextEncoder().encode(content))
  await disk.commit(staging, object, contentOf(content))
  return { id, path, object, size: content.length }
}
const rowOf = (file: Awaited<ReturnType<typeof putObject>>) => ({
  ...file,
  sha256: 'f'.repeat(64),
  mime: 'text/plain',
  kind: 'dokumente' as const,
  token_id: null,
  created_at: 1,
  updated_at: 1,
  derived: 'done' as const,
})
async function putFile(path: string) {
  const file = await putObject(path)
  return { ...file, nr: await database.transaction(tx => putRow(tx, rowOf(file))) }
}
const dropRows = () => database.transaction(tx => tx.deleteFrom('media').execute())

describe('ausliefern', () => {
  test('nothing recorded, or a file as it was recorded: well', async () => {
    expect(await checksWith().ausliefern()).toEqual({})
    await putFile('a.txt')
    expect(await checksWith().ausliefern()).toEqual({})
  })

  test('shortened, gone, a folder in its place: each its own reason', async () => {
    const { object } = await putFile('a.txt')
    await truncate(join(root, object), 3)
    expect(await checksWith().ausliefern()).toEqual({ grund: CHECK_REASONS.fileDiffers })
    await rm(join(root, object))
    expect(await checksWith().ausliefern()).toEqual({ grund: CHECK_REASONS.fileMissing })
    await mkdir(join(root, object))
    expect(await checksWith().ausliefern()).toMatchObject({ grund: CHECK_REASONS.fileUnreadable })
  })

  test('a file noted as missing is measured whatever the draw; deleted, or there again, it does not count', async () => {
    const missing = await putFile('a.txt')
    await putFile('b.txt')
    const ausliefern = () => checksWith(disk, () => 0.99).ausliefern()
    await rm(join(root, missing.object))
    expect(await ausliefern()).toEqual({})
    await database.transaction(tx => saveCheckOutcomes(tx, new Map([[missing.id, 'missing']]), 1))
    expect(await ausliefern()).toEqual({ grund: CHECK_REASONS.fileMissing })
    await writeFile(join(root, missing.object), new Uint8Array(missing.size))
    expect(await ausliefern()).toEqual({})
    await rm(join(root, missing.object))
    await database.transaction(tx => tx.deleteFrom('media').where('nr', '=', missing.nr).execute())
    expect(await ausliefern()).toEqual({})
  })

  test('every file is chosen by some draw, across gaps in the numbers', async () => {
    const files: Awaited<ReturnType<typeof putFile>>[] = []
    for (let at = 0; at < 6; at++) files.push(await putFile(`f${at}.txt`))
    for (const at of [0, 2, 3])
      await database.transaction(tx => tx.deleteFrom('media').where('nr', '=', files[at]!.nr).execute())
    const last = files.at(-1)!.nr
    const measured = new Set<string>()
    const watched: Storage = {
      ...disk,
      measure(name) {
        measured.add(name)
        return disk.measure(name)
      },
    }
    for (let draw = 0; draw < last; draw++) {
      const { ausliefern } = checksWith(watched, () => draw / last)
      expect(await ausliefern()).toEqual({})
    }
    expect(measured).toEqual(new Set([1, 4, 5].map(at => files[at]!.object)))
  })

  test('overwritten between looking it up and measuring it: well', async () => {
    const { object } = await putFile('a.txt')
    const racing: Storage = {
      ...disk,
      async measure(name) {
        await putFile('a.txt')
        await disk.remove(object)
        return disk.measure(name)
      },
    }
    expect(await checksWith(racing).ausliefern()).toEqual({})
  })
})

describe('datenbank', () => {
  const checkWith = (transaction: typeof database.transaction, now = Date.now) =>
    createChecks({
      clockWatch: STEADY_CLOCK,
      lostChanges: NOTHING_LOST,
      database: { ...database, transaction },
      storage: disk,
      random: () => 0,
      now,
      space: async () => null,
      backups: {
        lastReport: async () => null,
        lastRehearsal: async () => null,
        instanceCreatedAt: async () => 0,
      },
    }).datenbank

  test('answers every question and takes no change: fails', async () => {
    const refused = checkWith(() => Promise.reject(new Error('read-only')))
    expect(await refused()).toMatchObject({ grund: CHECK_REASONS.databaseRefuses })
    expect(await checkWith(database.transaction)()).toEqual({})
  })

  test('busy with a large change: a remark at first, a failure when it still is at the next look', async () => {
    let clock = 0
    let busy = true
    const check = checkWith(
      (...args) =>
        busy ? Promise.reject(new DatabaseBusyError('another writes')) : database.transaction(...args),
      () => clock,
    )
    expect(await check()).toEqual({ hinweis: CHECK_REASONS.databaseBusy })
    clock += STATUS_REUSE_TIME
    expect(await check()).toEqual({ grund: CHECK_REASONS.databaseRefuses })
    busy = false
    expect(await check()).toEqual({})
    busy = true
    expect(await check()).toEqual({ hinweis: CHECK_REASONS.databaseBusy })
  })
})

describe('bestand', () => {
  test('no entry while files lie on disk: lost', async () => {
    await putFile('a.txt')
    expect(await checksWith().bestand()).toEqual({})
    await dropRows()
    expect(await checksWith().bestand()).toEqual({ grund: CHECK_REASONS.inventoryLost })
  })

  test('nothing at all, or only what somebody else has put there: well', async () => {
    expect(await checksWith().bestand()).toEqual({})
    await mkdir(join(root, 'files'))
    await writeFile(join(root, 'files/notes.txt'), 'mine')
    expect(await checksWith().bestand()).toEqual({})
  })

  test('the last file was just deleted, its object not yet: well', async () => {
    const { object } = await putObject('a.txt')
    await database.transaction(tx => discardObjects(tx, [object], 0))
    expect(await checksWith().bestand()).toEqual({})
  })

  test('the last file was just thrown away, its object has not followed yet: well', async () => {
    const { derived, ...row } = rowOf(await putObject('a.txt'))
    const thrown = { media_nr: 1, retrievals: 0, deleted_at: 1, deleted_by: 'admin' }
    await database.transaction(tx =>
      tx
        .insertInto('trash')
        .values({ ...row, ...thrown })
        .execute(),
    )
    expect(await checksWith().bestand()).toEqual({})
    // Entries in the trash account only for their own objects.
    await putObject('b.txt')
    expect(await checksWith().bestand()).toEqual({ grund: CHECK_REASONS.inventoryLost })
  })

  test('the very first upload, whose bytes lie there before its row: well', async () => {
    const file = await putObject('first.txt')
    const looking = checksWith().bestand()
    await Bun.sleep(50)
    await database.transaction(tx => putRow(tx, rowOf(file)))
    expect(await looking).toEqual({})
  })
})

describe('platte', () => {
  test.each([
    ['full', CHECK_REASONS.diskFull, new StorageFullError()],
    ['read-only', CHECK_REASONS.diskRefuses, new Error('EROFS')],
  ])('%s: %s', async (_, grund, error) => {
    const broken: Storage = { ...disk, probe: () => Promise.reject(error) }
    expect(await checksWith(broken).platte()).toEqual({ grund, cause: error })
    expect(await checksWith().platte()).toEqual({})
  })
})

test('the instance began with its first migration', async () => {
  expect(Math.abs(Date.now() - (await instanceCreatedAt(database.read)))).toBeLessThan(60_000)
})

test('sicherung: damage that was repaired is a remark, and no failure; a failed rehearsal is one', async () => {
  let rehearsal: { ok: boolean } | null = null
  const report = { ok: true, zeit: Date.now(), orte: 2 }
  const checkOf = (warnungen_codes: ('stock-repaired' | 'targets-on-one-disk')[]) => {
    const lastReport = async () => ({ ...report, warnungen_codes })
    const backups = { lastReport, lastRehearsal: async () => rehearsal, instanceCreatedAt: async () => 0 }
    return createChecks({
      database,
      storage: disk,
      clockWatch: STEADY_CLOCK,
      lostChanges: NOTHING_LOST,
      random: () => 0,
      space: async () => null,
      now: Date.now,
      backups,
    }).sicherung()
  }
  expect(await checkOf(['stock-repaired'])).toEqual({ hinweis: CHECK_REASONS.backupRepaired })
  expect(await checkOf(['targets-on-one-disk'])).toEqual({
    hinweis: 'Das letzte Archiv liegt an zwei Orten.',
  })
  rehearsal = { ok: false }
  expect(await checkOf(['targets-on-one-disk'])).toMatchObject({ grund: CHECK_REASONS.rehearsalFailed })
  rehearsal = { ok: true }
  expect(await checkOf(['stock-repaired'])).toEqual({ hinweis: CHECK_REASONS.backupRepaired })
})
