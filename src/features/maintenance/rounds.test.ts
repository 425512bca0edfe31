import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Insertable } from 'kysely'
import type { ServiceEvent } from '../../contract/files/events.ts'
import type { MediaTable } from '../../database/schema.ts'
import { type LibraryInstance, openLibraryInstance } from '../library/testing.ts'
import { createLackingFilesFinder, type RoundTask } from './lacking-files.ts'
import { createRoundRunner } from './rounds.ts'

let library: LibraryInstance
let clock = 0
let made: number[] = []
let events: ServiceEvent[] = []
/** Names of the derived files on the disk. */
let there = new Set<string>()
beforeEach(async () => {
  library = await openLibraryInstance()
  clock = 1_800_000_000_000
  made = []
  events = []
  there = new Set()
  originals = true
})
afterEach(() => library[Symbol.asyncDispose]())

/** Originals exist unless a test says otherwise. */
let originals = true
const isThere = (name: string) =>
  there.has(name) || (originals && name.startsWith('files/') && !name.endsWith('~w.webp'))

/**
 * Rounds that only record their work; afterwards the derived files for which `succeeds` returns true exist.
 */
function rounds(options: { succeeds?: (nr: number) => boolean; roundTime?: number } = {}) {
  const { succeeds = () => true, ...more } = options
  const { database } = library
  const storage = { measure: async (name: string) => (isThere(name) ? 1 : null) }
  return createRoundRunner({
    database,
    findLackingFiles: createLackingFilesFinder({
      database,
      storage: storage as never,
      encoderName: () => 'now',
    }),
    async remake(nr, part) {
      made.push(nr)
      if (!succeeds(nr)) return
      const size = part === 'preview' ? { preview_size: 1 } : { variant_size: 1 }
      const row = await database.transaction(tx =>
        tx
          .updateTable('media')
          .set({ ...size, width: 1 })
          .where('nr', '=', nr)
          .returning('object')
          .executeTakeFirstOrThrow(),
      )
      there.add(
        part === 'preview' ? `thumbs/${row.object.slice('files/'.length)}.webp` : `${row.object}~w.webp`,
      )
    },
    enlist: () => {},
    publish: event => events.push(event),
    now: () => clock,
    ...more,
  })
}
async function fill(count: number, more: Partial<Insertable<MediaTable>> = {}): Promise<void> {
  await library.add(
    ...Array.from({ length: count }, (_, at) => library.row(`f/${at}-${more.mime ?? ''}`, more)),
  )
}

test('rounds of 300 until all is done; then there is nothing to do', async () => {
  await fill(310)
  const round = rounds()
  expect(await round('thumbs')).toEqual({ bearbeitet: 300, offen: 10, fertig: false })
  expect(await round('thumbs')).toEqual({ bearbeitet: 10, offen: 0, fertig: true })
  expect(await round('thumbs')).toEqual({ bearbeitet: 0, offen: 0, fertig: true })
  expect(new Set(made).size).toBe(310)
  expect(events.at(0)?.data).toEqual({ aufgabe: 'thumbs', erledigt: 0, gesamt: 310, fertig: false })
  const last = events.findLast(({ data }) => 'gesamt' in data && data.gesamt === 310)
  expect(last?.data).toEqual({ aufgabe: 'thumbs', erledigt: 310, gesamt: 310, fertig: true })
})

test('exactly 300 are done in one round', async () => {
  await fill(300)
  expect(await rounds()('thumbs')).toEqual({ bearbeitet: 300, offen: 0, fertig: true })
})

test('what fails without a verdict is tried once in a pass and holds up no end; the next pass tries it again', async () => {
  await fill(320)
  const round = rounds({ succeeds: nr => nr % 2 === 0 })
  expect(await round('webp')).toEqual({ bearbeitet: 300, offen: 20, fertig: false })
  expect(await round('webp')).toEqual({ bearbeitet: 20, offen: 0, fertig: true })
  expect(made).toHaveLength(320)
  expect(await round('webp')).toEqual({ bearbeitet: 160, offen: 0, fertig: true })
})

test('two who make a pass at once share the files', async () => {
  await fill(400)
  const round = rounds()
  let open = true
  while (open) open = (await Promise.all([round('thumbs'), round('thumbs')])).every(({ fertig }) => !fertig)
  expect(made.toSorted((a, b) => a - b)).toEqual([...new Set(made)].toSorted((a, b) => a - b))
  expect(new Set(made).size).toBe(400)
})

test('a round that takes long is answered early, and each one gets on', async () => {
  await fill(30)
  const round = rounds({ roundTime: 0 })
  const answers = [await round('thumbs'), await round('thumbs'), await round('thumbs')]
  expect(answers.map(({ offen }) => offen)).toEqual([18, 6, 0])
  expect(answers.map(({ fertig }) => fertig)).toEqual([false, false, true])
})

describe('a pass that was left', () => {
  test('is gone on with soon after, and begun anew later', async () => {
    await fill(30)
    const round = rounds({ roundTime: 0, succeeds: () => false })
    await round('thumbs')
    clock += 60_000
    expect((await round('thumbs')).offen).toBe(6)
    clock += 11 * 60_000
    expect((await round('thumbs')).offen).toBe(18)
  })
})

describe('who lacks what', () => {
  const lacking = async (task: RoundTask, mime: string, more: Partial<Insertable<MediaTable>> = {}) => {
    const kind = mime.startsWith('image/') ? 'bilder' : mime.startsWith('video/') ? 'video' : 'audio'
    await library.clear()
    await fill(1, { mime, kind, width: 5, ...more })
    const { database } = library
    const storage = { measure: async (name: string) => (isThere(name) ? 1 : null) }
    const findLacking = createLackingFilesFinder({
      database,
      storage: storage as never,
      encoderName: () => 'now',
    })
    return (await findLacking(task, 0, { maxFiles: 10, mayContinue: () => true })).files.length === 1
  }

  test.each<[RoundTask, string, boolean]>([
    ['thumbs', 'image/png', true],
    ['thumbs', 'video/mp4', true],
    ['thumbs', 'audio/mpeg', false],
    ['webp', 'image/png', true],
    ['webp', 'image/jpeg', true],
    ['webp', 'image/gif', false],
    ['webp', 'video/mp4', false],
  ])('%s of %s without any: %p', async (task, mime, expected) => {
    expect(await lacking(task, mime)).toBe(expected)
    expect(await lacking(task, mime, { derived: 'failed' })).toBe(expected)
    expect(await lacking(task, mime, { derived: 'pending' })).toBe(expected)
  })

  test('one whose preview is named and gone, and one whose measures nobody knows', async () => {
    expect(await lacking('thumbs', 'image/png', { preview_size: 1 })).toBe(true)
    there = new Set(Array.from({ length: 99 }, (_, at) => `thumbs/f/0-image/png~id${at}.webp`))
    expect(await lacking('thumbs', 'image/png', { preview_size: 1 })).toBe(false)
    expect(await lacking('thumbs', 'image/png', { preview_size: 1, width: null })).toBe(true)
  })

  test.each<[RoundTask, Partial<Insertable<MediaTable>>, boolean]>([
    // The current encoder has already failed on this file, so there is nothing to do, whatever state the
    // queue recorded.
    ['webp', { variant_encoder: 'now' }, false],
    ['webp', { variant_encoder: 'now', derived: 'failed' }, false],
    ['thumbs', { preview_encoder: 'now', width: null, derived: 'failed' }, false],
    // Another encoder may succeed.
    ['webp', { variant_encoder: 'before' }, true],
    ['thumbs', { preview_encoder: 'before' }, true],
    // A failure of one part says nothing about the other.
    ['webp', { preview_encoder: 'now' }, true],
    ['thumbs', { variant_encoder: 'now' }, true],
    // It was made once, and is missing now.
    ['webp', { variant_encoder: 'now', variant_size: 1 }, true],
    ['thumbs', { preview_encoder: 'now', preview_size: 1 }, true],
  ])('%s with %j: %p', async (task, row, expected) => {
    expect(await lacking(task, 'image/png', row)).toBe(expected)
  })

  test('a preview that is there of a file whose measures the present encoder could not read: nothing', async () => {
    there = new Set(Array.from({ length: 99 }, (_, at) => `thumbs/f/0-image/png~id${at}.webp`))
    const row = { preview_size: 1, width: null }
    expect(await lacking('thumbs', 'image/png', { ...row, preview_encoder: 'now' })).toBe(false)
    expect(await lacking('thumbs', 'image/png', row)).toBe(true)
  })

  test('one whose original is lost: nothing can be made of it', async () => {
    originals = false
    expect(await lacking('thumbs', 'image/png')).toBe(false)
    expect(await lacking('webp', 'image/png')).toBe(false)
  })
})
