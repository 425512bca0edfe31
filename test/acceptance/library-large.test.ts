/**
 * A library of about ten thousand rows, where pages and hits are found in other ways than in a small one; and
 * a folder that is renamed as a whole while others read, write, or kill the service.
 */
import { beforeAll, describe, expect, test } from 'bun:test'
import { store, upload } from '../support/api.ts'
import { ADMIN_ENV, signIn } from '../support/dashboard.ts'
import { onDatabase } from '../support/data-folder.ts'
import { type LibraryPage, sharedLibrary } from '../support/library.ts'
import { seedFiles } from '../support/seed.ts'
import { startService } from '../support/service.ts'
import { eventually } from '../support/wait.ts'

const on = sharedLibrary()
/** More than are read and sorted at once. */
const EACH = 12_000

beforeAll(async () => {
  await seedFiles(on.service.dataDir, 'viel/eins', EACH)
  await seedFiles(on.service.dataDir, 'viel/zwei', EACH)
  await on.fill('rar', ['nadel-im-heu.txt'])
})

const sizes = (page: LibraryPage) => page.dateien.map(file => file.size)
const numbered = (folder: string, nr: number) => `${folder}/${String(nr).padStart(6, '0')}.png`

describe('pages', () => {
  test('far back in a folder, both ways', async () => {
    const ordner = 'viel/eins'
    const page = await on.list({ ordner, seite: 150, anzahl: 30 })
    expect(page.dateien.map(file => file.path)).toEqual(
      Array.from({ length: 30 }, (_, at) => numbered(ordner, 149 * 30 + 1 + at)),
    )
    const last = await on.list({ ordner, seite: 400, anzahl: 30, richtung: 'ab' })
    expect([sizes(last).at(-1), last.gesamt]).toEqual([1, EACH])
    expect((await on.list({ ordner, seite: 401, anzahl: 30 })).dateien).toEqual([])
  })

  test.each(['size', 'updated_at'])('of everything below, by %s', async sortierung => {
    const query = { ordner: 'viel', unterordner: 1, sortierung, anzahl: 30 }
    const first = await on.list(query)
    expect(sizes(first)).toEqual(Array.from({ length: 30 }, (_, at) => 1 + Math.floor(at / 2)))
    expect(first.gesamt).toBe(2 * EACH)
    const falling = await on.list({ ...query, richtung: 'ab', seite: 3 })
    expect(sizes(falling)).toEqual(Array.from({ length: 30 }, (_, at) => EACH - 30 - Math.floor(at / 2)))
  })

  test('by retrievals, where nearly all have none: every file once', async () => {
    const query = { ordner: 'viel', unterordner: 1, sortierung: 'abrufe', richtung: 'ab', anzahl: 200 }
    const pages = await Promise.all([1, 2, 3].map(seite => on.list({ ...query, seite })))
    expect(new Set(pages.flatMap(page => page.dateien.map(file => file.path))).size).toBe(600)
  })

  test('of a kind that hardly occurs', async () => {
    const page = await on.list({ unterordner: 1, art: 'dokumente', sortierung: 'size' })
    expect([page.gesamt, page.dateien.map(file => file.path)]).toEqual([1, ['rar/nadel-im-heu.txt']])
  })
})

describe('searching', () => {
  test.each([
    ['nadel', 1],
    ['NADEL-IM', 1],
    ['011999', 2],
    ['/0119', 200],
    ['.png', 2 * EACH],
    ['eins/', EACH],
    ['viel', 2 * EACH],
    ['el', 2 * EACH + 1],
    ['ng', 2 * EACH],
    ['xt', 1],
    ['zz', 0],
    ['nirgends', 0],
  ])('%s: %d', async (suche, expected) => {
    const page = await on.list({ suche, anzahl: 30 })
    expect([page.gesamt, page.dateien.length]).toEqual([expected, Math.min(expected, 30)])
    for (const file of page.dateien) expect(file.path.toLowerCase()).toContain(suche.toLowerCase())
  })

  test('in a folder, in another order, with a kind', async () => {
    const few = await on.list({
      ordner: 'viel',
      suche: '/0119',
      sortierung: 'size',
      richtung: 'ab',
      anzahl: 30,
    })
    expect([sizes(few).slice(0, 4), few.gesamt]).toEqual([[11_999, 11_999, 11_998, 11_998], 200])
    const many = await on.list({ ordner: 'viel', suche: 'zwei', sortierung: 'size', seite: 2, anzahl: 30 })
    expect([sizes(many)[0], many.gesamt]).toEqual([31, EACH])
    expect((await on.list({ suche: 'viel', art: 'video' })).gesamt).toBe(0)
    expect((await on.list({ suche: 'viel', art: 'bilder' })).gesamt).toBe(2 * EACH)
  })

  test('and replacing all of it, computed', async () => {
    const body = { suche: '.png', ersatz: '.webp', ordner: 'viel/eins' }
    const answer = await on.done<{ treffer: unknown[]; konflikte: unknown[] }>('media/ersetzen', body)
    expect([answer.treffer.length, answer.konflikte]).toEqual([EACH, []])
  })
})

test('a large folder is renamed while others read and write; nobody sees half of it', async () => {
  await store(on.service, on.token, 'ruhig/a.txt', 'calm')
  const seen = new Set<string>()
  let going = true
  const readers = Array.from({ length: 4 }, async () => {
    while (going) {
      const response = await fetch(`${on.service.url}/f/ruhig/a.txt`)
      expect(await response.text()).toBe('calm')
    }
  })
  const watcher = (async () => {
    while (going) {
      const { ordner } = await on.list({ ordner: 'viel' })
      seen.add(ordner.map(({ name, dateien }) => `${name} ${dateien}`).join())
    }
  })()
  const renaming = on.done('folders/umbenennen', { ordner: 'viel/zwei', name: 'drei' })
  await eventually('the upload is stored, at once or when its sentence asks to try again', async () => {
    const answer = await upload(on.service, on.token, 'written meanwhile', { 'X-Path': 'ruhig/b.txt' })
    if (answer.status !== 200) expect(await answer.text()).toContain('sehr viel auf einmal geändert')
    return answer.status === 200
  })
  expect(await renaming).toEqual({ dateien: EACH, ordner: 'viel/drei' })
  await on.list({ ordner: 'viel' })
  going = false
  await Promise.all([...readers, watcher])
  for (const state of seen)
    expect([`eins ${EACH},zwei ${EACH}`, `drei ${EACH},eins ${EACH}`]).toContain(state)
  expect((await on.list({ suche: 'drei/0119' })).gesamt).toBe(100)
  expect((await on.list({ suche: 'zwei' })).gesamt).toBe(0)
})

test('killed in the middle of renaming a folder: all of it or nothing', async () => {
  await using service = await startService({ ownProcess: true, env: ADMIN_ENV })
  const session = await signIn(service)
  await seedFiles(service.dataDir, 'vorher', 5000)
  let name = 'vorher'
  for (const patience of [20, 150, 400]) {
    const renaming = fetch(`${service.url}/api/dash/folders/umbenennen`, {
      method: 'POST',
      headers: { Cookie: `fundus_sitzung=${session}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ ordner: name, name: `nach-${patience}` }),
    }).catch(() => {})
    await Bun.sleep(patience)
    await service.kill9()
    await renaming
    const folders = await onDatabase<{ folder: string; files: number }>(
      service.dataDir,
      'select folder, cast(sum(files) as bigint) as files from folder_usage group by 1',
    )
    expect(folders).toHaveLength(1)
    expect(folders[0]!.files).toBe(5000)
    name = folders[0]!.folder.slice(0, -1)
    expect(['vorher', 'nach-20', 'nach-150', 'nach-400']).toContain(name)
    await service.restart()
    await eventually('it answers', async () => (await fetch(`${service.url}/health`)).status === 200)
  }
})
