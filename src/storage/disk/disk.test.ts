/** Rules of the disk alone; `test/conformance/storage.ts` tests those of every store. */
import { afterAll, afterEach, describe, expect, mock, test } from 'bun:test'
import * as system from 'node:fs/promises'
import { mkdir, mkdtemp, readdir, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { contentOf } from '../../../test/support/bytes.ts'
import { openFolder, realDisk, useFolder } from '../../../test/support/folder.ts'
import { newId } from '../../base/ids.ts'
import { StorageFullError } from '../storage.ts'
import { createDiskStorage } from './disk.ts'

// Imitates file systems without hard links: forwards every call, unless a test sets the result of `link`.
const real = { ...system }
let refusal: string | null = null
const refused = () => Object.assign(new Error(refusal ?? ''), { code: refusal })
mock.module('node:fs/promises', () => ({
  ...real,
  link: (from: string, to: string) => (refusal ? Promise.reject(refused()) : real.link(from, to)),
}))
afterEach(() => {
  refusal = null
})
afterAll(() => mock.module('node:fs/promises', () => real))

const root = await useFolder(realDisk())
const storage = await createDiskStorage({ root, newId })
afterAll(() => storage.close())

async function put(name: string, content: string): Promise<void> {
  const staging = await storage.stage()
  await staging.write(new TextEncoder().encode(content))
  await storage.commit(staging, name, contentOf(content))
}
const get = async (name: string) => {
  const object = await storage.open(name)
  return object && new TextDecoder().decode(await object.bytes())
}
const exists = (name: string) =>
  stat(join(root, name)).then(
    () => true,
    () => false,
  )

describe('folders that a removal leaves empty', () => {
  test('go, up to the root of their kind, which stays', async () => {
    await put('files/a/b/c/x~1.txt', 'x')
    await storage.remove('files/a/b/c/x~1.txt')
    expect(await exists('files/a')).toBe(false)
    expect(await exists('files')).toBe(true)
    await put('files/top~1.txt', 'x')
    await storage.remove('files/top~1.txt')
    expect(await exists('files')).toBe(true)
  })

  test('stay as long as anything is in them, a foreign file as well', async () => {
    await put('files/p/q/x~1.txt', 'x')
    await put('files/p/y~2.txt', 'y')
    await storage.remove('files/p/q/x~1.txt')
    expect([await exists('files/p/q'), await exists('files/p')]).toEqual([false, true])
    await writeFile(join(root, 'files/p/notes.txt'), 'mine')
    await storage.remove('files/p/y~2.txt')
    expect(await readdir(join(root, 'files/p'))).toEqual(['notes.txt'])
  })

  test('come back when the next object needs them', async () => {
    for (let round = 0; round < 5; round++) {
      await put('files/back/again/x~1.txt', String(round))
      expect(await get('files/back/again/x~1.txt')).toBe(String(round))
      await storage.remove('files/back/again/x~1.txt')
    }
  })
})

describe('relocating without hard links', () => {
  test.each(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'ENOSYS'])(
    '%s: a copy takes their place',
    async code => {
      const target = `files/copied-${code.toLowerCase()}/deep/x~1-a.txt`
      await put('files/copy/x~1.txt', 'copied bytes')
      refusal = code
      await storage.relocate('files/copy/x~1.txt', target)
      expect([await get('files/copy/x~1.txt'), await get(target)]).toEqual(['copied bytes', 'copied bytes'])
      await storage.remove('files/copy/x~1.txt')
      expect(await get(target)).toBe('copied bytes')
      expect(await readdir(storage.scratch)).toEqual([])
    },
  )

  test('a hard link is used where there are any: both names are one file', async () => {
    await put('files/link/x~1.txt', 'linked')
    await storage.relocate('files/link/x~1.txt', 'files/link/made/for/it/x~1-a.txt')
    const [one, other] = await Promise.all(
      ['x~1.txt', 'made/for/it/x~1-a.txt'].map(name => stat(join(root, 'files/link', name))),
    )
    expect(one?.ino).toBe(other!.ino)
  })

  test('an absent source is an error, and makes neither copy nor folder', async () => {
    refusal = 'EPERM'
    await expect(storage.relocate('files/none~1.txt', 'files/never/none~1-a.txt')).rejects.toThrow('ENOENT')
    expect(await exists('files/never')).toBe(false)
  })
})

describe('trouble is told apart', () => {
  test('a full disk while relocating is a full store', async () => {
    await put('files/full/x~1.txt', 'x')
    refusal = 'EPERM'
    const trouble = Object.assign(new Error('full'), { code: 'ENOSPC' })
    mock.module('node:fs/promises', () => ({
      ...real,
      link: () => Promise.reject(refused()),
      copyFile: () => Promise.reject(trouble),
    }))
    try {
      const error = await storage.relocate('files/full/x~1.txt', 'files/full/x~1-a.txt').catch(e => e)
      expect(error).toBeInstanceOf(StorageFullError)
      expect(await readdir(storage.scratch)).toEqual([])
    } finally {
      mock.module('node:fs/promises', () => real)
    }
  })

  test('a folder under the name of an object is no absence', async () => {
    await mkdir(join(root, 'files/folder~1.txt'), { recursive: true })
    await expect(storage.open('files/folder~1.txt')).rejects.toThrow('no file')
  })

  test('a file in the place of a folder is an absence', async () => {
    await put('files/plain~1.txt', 'x')
    expect(await storage.open('files/plain~1.txt/below~2.txt')).toBeNull()
  })
})

test('a short file is flushed and named as a long one is; closing leaves nothing staged', async () => {
  const at = await mkdtemp(join(root, 'short-'))
  const opened = await createDiskStorage({ root: at, newId })
  const staging = opened.stageWhole(new TextEncoder().encode('short'))
  await opened.commit(staging, 'files/a/b/short~1.txt', contentOf('short'))
  expect(await readdir(opened.scratch)).toEqual([])
  await opened.close()
  expect(await readdir(join(at, 'staging'))).toEqual([])
  expect(await system.readFile(join(at, 'files/a/b/short~1.txt'), 'utf8')).toBe('short')
})

test('a probe of a folder that is gone rejects, and so does measuring a folder', async () => {
  const lost = await openFolder()
  const other = await createDiskStorage({ root: lost.path, newId })
  await lost[Symbol.asyncDispose]()
  await expect(other.probe()).rejects.toThrow('ENOENT')
  await other.close()
  await mkdir(join(root, 'files/measured~1.txt'), { recursive: true })
  await expect(storage.measure('files/measured~1.txt')).rejects.toThrow('no file')
})

test('listing does not follow links out of the data folder', async () => {
  await using folder = await openFolder(dirname(root))
  const outside = folder.path
  await writeFile(join(outside, 'secret~1.txt'), 'secret')
  await mkdir(join(root, 'files/linked'), { recursive: true })
  await symlink(outside, join(root, 'files/linked/away'))
  const names = (await Array.fromAsync(storage.list('files/linked/'))).map(object => object.name)
  expect(names.filter(name => name.includes('secret'))).toEqual([])
})

test('a relocated object is as old as its name, not as its bytes', async () => {
  await put('files/age/x~1.txt', 'x')
  const long = (Date.now() - 9e7) / 1000
  await system.utimes(join(root, 'files/age/x~1.txt'), long, long)
  await storage.relocate('files/age/x~1.txt', 'files/age/x~1-a.txt')
  for await (const object of storage.list('files/age/')) {
    expect(Date.now() - object.changedAt).toBeLessThan(60_000)
  }
})
