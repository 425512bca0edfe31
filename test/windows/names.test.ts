/**
 * Names that Windows reserves, truncates, folds or finds too long: stored, served, moved and deleted as
 * everywhere else.
 */
import { describe, expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { read, remove, store } from '../support/api.ts'
import { sharedLibrary } from '../support/library.ts'
import { restore, throwAway } from '../support/trash.ts'
import { eventually } from '../support/wait.ts'
import { windowsOrFail } from '../support/windows.ts'

/** So deep that every path in it is longer than the 260 characters that most Windows calls allow. */
const DEEP = ['names', 'd'.repeat(120), 'e'.repeat(120)]
const library = sharedLibrary({ dataDir: ['C:', ...DEEP].join('\\') })
const files = () => join(windowsOrFail().driveC, ...DEEP, 'files')

const NAMES = [
  'con',
  'con.txt',
  'CON/aux.png',
  'nul/com1.tar.gz',
  'lpt9.x/prn',
  'punkt.',
  'ordner./zwei../datei.txt',
  'Fall/A.txt',
  'fall/a.txt',
  'FALL/a.TXT',
  'x',
  'x/y.txt',
  `a/b/c/d/e/f/g/${'n'.repeat(180)}.txt`,
]

const bodyOf = (path: string) => `content of ${path}`

describe('device names, dots at the end, names that differ by case, more than 260 characters', () => {
  test('are stored under their own path and served with their own bytes', async () => {
    for (const path of NAMES) await store(library.service, library.token, path, bodyOf(path))
    for (const path of NAMES) await library.holds(path, bodyOf(path))
    expect(await library.below('')).toEqual([...NAMES].sort())
  })

  test('have names on the disk that Windows accepts, each its own', async () => {
    const names = (await readdir(files(), { recursive: true })).map(name => name.toLowerCase())
    expect(new Set(names).size).toBe(names.length)
    expect(names.filter(name => /(^|\/)(con|prn|aux|nul|com\d|lpt\d)(\.|\/|$)|\.(\/|$)/.test(name))).toEqual(
      [],
    )
    expect(Math.max(...names.map(name => files().length + name.length))).toBeGreaterThan(260)
  })

  test('keep their bytes when renamed, moved, thrown away, brought back and overwritten', async () => {
    const { service, session, token } = library
    await library.done('media/umbenennen', { pfad: 'con.txt', name: 'nul.txt' })
    await library.holds('nul.txt', bodyOf('con.txt'))
    await library.done('folders/umbenennen', { ordner: 'Fall', name: 'aux' })
    await library.holds('aux/A.txt', bodyOf('Fall/A.txt'))
    await library.holds('fall/a.txt', bodyOf('fall/a.txt'))
    const numbers = await throwAway(service, session, 'punkt.', 'con')
    await library.holds('punkt.', null)
    await restore(service, session, ...numbers)
    await library.holds('punkt.', bodyOf('punkt.'))
    await store(service, token, 'con', 'another')
    await library.holds('con', 'another')
    await eventually('names on the disk follow', async () => {
      const names = await readdir(files(), { recursive: true })
      return names.some(name => name.startsWith('=aux/A~')) && names.some(name => name.startsWith('=nul~'))
    })
  })

  test('deleted for good, no object of theirs is left', async () => {
    const paths = await library.below('')
    for (const path of paths) expect((await remove(library.service, library.token, path)).status).toBe(200)
    expect((await read(library.service, 'con')).status).toBe(404)
    await eventually('the folder is empty', async () => (await readdir(files())).length === 0)
  })
})
