/**
 * The objects on disk follow their paths within seconds, and no orphan is left. The tests build on each
 * other, so that one wait serves several.
 */
import { describe, expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bytesOf, read, store } from '../support/api.ts'
import { objectFiles, storedFiles } from '../support/data-folder.ts'
import { sharedLibrary } from '../support/library.ts'
import { png, tintOf } from '../support/pictures.ts'
import { eventually } from '../support/wait.ts'

const on = sharedLibrary({ ownProcess: true })

/** The object name without the content id and marks: `files/a/b~id-mark.png` is `files/a/b.png`. */
const plain = (object: string) =>
  object.replace(/~[0-9a-z]{16}(-[0-9a-z]+)?/, '').replace(/(~[wt])-[0-9a-z]{6}\.webp$/, '$1.webp')
const stem = (object: string) =>
  object.replace(/^(files|thumbs)\//, '').replace(/(~[wt]-[0-9a-z]{6})?\.[^./~]+$/, '')
const isDerived = (object: string) => object.startsWith('thumbs/') || /~w-[0-9a-z]{6}\.webp$/.test(object)

const objects = async () =>
  (await storedFiles(on.service.dataDir)).filter(file => /^(files|thumbs)\//.test(file))

/**
 * Waits until each file has exactly one original, named by its path, and there are no derived files of other
 * names.
 */
async function untilSettled(): Promise<void> {
  let left: string[] = []
  await eventually('every object stands where its path says', async () => {
    const paths = new Set((await on.below('')).map(path => `files/${path}`))
    const all = await objects()
    const originals = all.filter(object => !isDerived(object))
    const stems = new Set(originals.map(stem))
    left = [
      ...originals.filter(object => !paths.delete(plain(object))),
      ...all.filter(object => isDerived(object) && !stems.has(stem(object))),
      ...paths,
    ]
    return left.length === 0
  }).catch(() => {
    throw new Error(`Objects without a file, or files without an object:\n${left.join('\n')}`)
  })
}

interface Swept {
  removed: string[]
  heldBack: number
  missing: string[]
  missingInTrash: unknown[]
}
async function sweep(): Promise<Swept> {
  await on.service.stop()
  const { code, stdout } = await on.service.command('sweep', '--older-than', '0')
  await on.service.restart()
  expect(code).toBe(0)
  return JSON.parse(stdout) as Swept
}

describe('objects follow', () => {
  const names = Array.from({ length: 40 }, (_, at) => `${at}.txt`)
  const fallen = async () => {
    for (const name of names) await on.holds(`sturz/nachher/${name}`, `sturz/vorher/${name}`)
  }
  let pictures: Record<'red' | 'blue', Uint8Array>
  const areSwapped = async () => {
    await on.holds('swap/ab.png', pictures.blue)
    await on.holds('swap/ba.png', pictures.red)
    expect(await tintOf(await bytesOf(await on.previewReady('swap/ab.png')))).toBe('blue')
    expect(await tintOf(await bytesOf(await on.previewReady('swap/ba.png')))).toBe('red')
  }
  const backAgain = async () => {
    await on.holds('hin/a.txt', 'new content')
    await on.holds('hin/c.txt', 'hin/a.txt')
  }

  test('every kind of change, one upon the other', async () => {
    await on.fill('platte/alt', { 'a.png': await png(), 'tief/b.txt': 'b', 'c.txt': 'c', 'd.txt': 'd' })
    await on.previewReady('platte/alt/a.png')
    await read(on.service, 'platte/alt/a.png', { Accept: 'image/webp' })
    await on.done('folders/umbenennen', { ordner: 'platte/alt', name: 'mitte' })
    await on.done('media/umbenennen', { pfad: 'platte/mitte/a.png', name: 'z.png' })
    await on.done('media/verschieben', { pfade: ['platte/mitte/c.txt'], ordner: 'platte/neu' })
    await on.done('folders/verschieben', { ordner: 'platte/mitte', ziel: 'platte/neu' })
    await on.done('media/ersetzen', { suche: 'd.txt', ersatz: 'e.txt', ordner: 'platte', ausfuehren: true })
    await on.holds('platte/neu/c.txt', 'c')
  })

  test('a swap, with previews', async () => {
    pictures = { red: await png({ tint: 'red' }), blue: await png({ tint: 'blue' }) }
    await on.fill('swap', { 'ab.png': pictures.red, 'ba.png': pictures.blue })
    await Promise.all([on.previewReady('swap/ab.png'), on.previewReady('swap/ba.png')])
    const task = { suche: '/([ab])([ab])\\.', ersatz: '/$2$1.', regex: true, ordner: 'swap' }
    await on.done('media/ersetzen', { ...task, ausfuehren: true })
    await areSwapped()
  })

  test('there and back again, and new content where it was', async () => {
    const rename = (pfad: string, name: string) => on.done('media/umbenennen', { pfad, name })
    await on.fill('hin', ['a.txt'])
    await rename('hin/a.txt', 'b.txt')
    await Bun.sleep(200)
    await rename('hin/b.txt', 'a.txt')
    await Bun.sleep(200)
    await rename('hin/a.txt', 'c.txt')
    await on.fill('hin', { 'a.txt': 'new content' })
    await backAgain()
  })

  test('also when the service is killed right after the answer', async () => {
    await on.fill('sturz/vorher', names)
    await on.done('folders/umbenennen', { ordner: 'sturz/vorher', name: 'nachher' })
    await on.service.kill9()
    await on.service.restart()
    await fallen()
  })

  test('within seconds: original, variant and preview under the new name, nothing under the old', async () => {
    await untilSettled()
    expect((await objects()).filter(object => object.includes('/platte/')).map(plain)).toEqual([
      'files/platte/neu/c.txt',
      'files/platte/neu/mitte/e.txt',
      'files/platte/neu/mitte/tief/b.txt',
      'files/platte/neu/mitte/z.png',
      'files/platte/neu/mitte/z~w.webp',
      'thumbs/platte/neu/mitte/z~t.webp',
    ])
    await fallen()
    await areSwapped()
    await backAgain()
    const [object = ''] = await objectFiles(on.service.dataDir, 'hin/c.txt')
    expect(await readFile(join(on.service.dataDir, object), 'utf8')).toBe('hin/a.txt')
  })

  test('and then a sweep has nothing to do', async () => {
    expect(await sweep()).toEqual({ removed: [], heldBack: 0, missing: [], missingInTrash: [] })
    await fallen()
    await areSwapped()
  })
})

test('what was let go right before a stop is removed within seconds of the start', async () => {
  await store(on.service, on.token, 'los/a.txt', 'before')
  const [old = ''] = await objectFiles(on.service.dataDir, 'los/a.txt')
  await store(on.service, on.token, 'los/a.txt', 'after')
  await on.service.stop()
  await on.service.restart()
  await untilSettled()
  expect(await storedFiles(on.service.dataDir)).not.toContain(old)
})

test('changed, deleted and stopped in the same breath: nothing is lost, and in the end nothing orphaned', async () => {
  const picture = await png({ seed: 7 })
  await store(on.service, on.token, 'ende/a.png', picture)
  await on.fill('ende', { 'o/1.txt': '1', 'o/2.txt': '2', 'weg.png': picture, 'c.txt': 'c', 'q/w.txt': 'w' })
  await on.previewReady('ende/weg.png')
  await on.done('media/umbenennen', { pfad: 'ende/a.png', name: 'b.png' })
  await on.done('folders/umbenennen', { ordner: 'ende/o', name: 'p' })
  await on.done('media/umbenennen', { pfad: 'ende/c.txt', name: 'd.txt' })
  await on.done('media/loeschen', { pfade: ['ende/weg.png', 'ende/d.txt'] })
  await on.done('folders/loeschen', { ordner: 'ende/q' })
  // Objects that were just discarded may be swept; those of files or of the trash may not.
  expect((await sweep()).missing).toEqual([])
  await on.holds('ende/b.png', picture)
  await on.holds('ende/p/1.txt', '1')
  await on.previewReady('ende/b.png')
  await untilSettled()
  expect(await sweep()).toEqual({ removed: [], heldBack: 0, missing: [], missingInTrash: [] })

  const trash = (await (await on.get('papierkorb')).json()) as { eintraege: { nr: number; path: string }[] }
  expect(trash.eintraege.map(({ path }) => path).sort()).toEqual([
    'ende/d.txt',
    'ende/q/w.txt',
    'ende/weg.png',
  ])
  const nummern = trash.eintraege.map(({ nr }) => nr)
  expect(await on.done('papierkorb/wiederherstellen', { nummern })).toMatchObject({ abgelehnt: [] })
  await on.holds('ende/weg.png', picture)
  await on.holds('ende/d.txt', 'c')
  await on.holds('ende/q/w.txt', 'w')
  await on.previewReady('ende/weg.png')
})
