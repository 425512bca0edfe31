/** What is the disk's own; what every store promises stands in `test/conformance/storage.ts`. */
import { afterAll, afterEach, describe, expect, mock, test } from 'bun:test'
import * as system from 'node:fs/promises'
import { mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { contentOf } from '../../../test/support/bytes.ts'
import { openFolder, realDisk, useFolder } from '../../../test/support/folder.ts'
import { sha256 } from '../../base/hash/sha256.ts'
import { newId } from '../../base/ids.ts'
import { SHORT_BYTES, type Storage, StorageFullError } from '../storage.ts'
import type { JournalDamage } from './bring-back.ts'
import { createDiskStorage, type DiskParts } from './disk.ts'
import { LONGEST_CYCLE } from './journal.ts'
import { BLOCK, encodeRecord } from './journal-record.ts'

// Stands in for file systems without hard links: passes everything on, unless a test says what `link`
// answers.
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
    await put('files/link/x~1.txt', 'linked'.repeat(SHORT_BYTES))
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

describe('what the journal of a process that is gone has kept', () => {
  const KEPT = ['torn', 'zeros', 'whole', 'below/lost']
  const WRITTEN_AT = 1_700_000_000_000

  /** A data folder as a power cut leaves it: a journal, and a lock that nobody holds. */
  async function afterPowerCut(): Promise<string> {
    const at = await mkdtemp(join(root, 'power-'))
    await mkdir(join(at, 'staging/gone'), { recursive: true })
    await writeFile(join(at, 'staging/gone.lock'), '')
    const records = KEPT.map(name => ({
      ...{ name: `files/${name}~1.txt`, writtenAt: WRITTEN_AT },
      bytes: new TextEncoder().encode(`${name}!`),
    }))
    const journal = Buffer.concat(records.map(record => encodeRecord(record, 'mark')))
    await writeFile(join(at, 'staging/gone/a.journal'), journal)
    await mkdir(join(at, 'files'))
    await writeFile(join(at, 'files/torn~1.txt'), 'to')
    await writeFile(join(at, 'files/zeros~1.txt'), new Uint8Array(6))
    await writeFile(join(at, 'files/whole~1.txt'), 'whole!')
    return at
  }

  const found = (at: string) =>
    Promise.all(KEPT.map(name => system.readFile(join(at, `files/${name}~1.txt`), 'utf8').catch(() => null)))
  const openAt = (at: string, parts: Partial<DiskParts> = {}) =>
    createDiskStorage({ root: at, newId, ...parts })

  test('is brought back: what is missing, cut off or without its bytes', async () => {
    const at = await afterPowerCut()
    const opened = await openAt(at)
    expect(await found(at)).toEqual(['torn!', 'zeros!', 'whole!', 'below/lost!'])
    expect((await readdir(join(at, 'staging'))).filter(name => name.startsWith('gone'))).toEqual([])
    await opened.close()
  })

  test('is written again even where it seems whole, and is as old as it was', async () => {
    const at = await afterPowerCut()
    const before = await stat(join(at, 'files/whole~1.txt'))
    await (await openAt(at)).close()
    const after = await stat(join(at, 'files/whole~1.txt'))
    expect([after.ino !== before.ino, Math.floor(after.mtimeMs)]).toEqual([true, WRITTEN_AT])
  })

  test('of files without a row nothing comes back, and no half of one stays', async () => {
    const at = await afterPowerCut()
    await (await openAt(at, { isOwned: async name => name.includes('zeros') })).close()
    expect(await found(at)).toEqual([null, 'zeros!', 'whole!', null])
  })

  test('is brought back from a folder without a lock too, from which nothing is removed', async () => {
    const at = await afterPowerCut()
    await rm(join(at, 'staging/gone.lock'))
    await (await openAt(at, { isOwned: async name => !name.includes('torn') })).close()
    expect(await found(at)).toEqual(['to', 'zeros!', 'whole!', 'below/lost!'])
  })

  test('a damaged record costs its own file: those behind it come back, what is lost is told and not served', async () => {
    const at = await afterPowerCut()
    const journal = join(at, 'staging/gone/a.journal')
    const bytes = await system.readFile(journal)
    // The bytes of the second record, whose file is nothing but zeros.
    bytes.write('ZEROS!', bytes.indexOf('zeros!'))
    await writeFile(journal, bytes)
    const damage: JournalDamage[] = []
    await (await openAt(at, { onDamage: async found => void damage.push(found) })).close()
    expect(await found(at)).toEqual(['torn!', null, 'whole!', 'below/lost!'])
    const kept = join(at, 'journal-gone-a.journal')
    expect(damage).toEqual([{ journals: [kept], unreadable: 1, lost: ['files/zeros~1.txt'] }])
    expect(await system.readFile(kept)).toEqual(bytes)
  })

  test('a damaged record does not matter where its file is whole', async () => {
    const at = await afterPowerCut()
    const journal = join(at, 'staging/gone/a.journal')
    const bytes = await system.readFile(journal)
    bytes.write('WHOLE!', bytes.indexOf('whole!'))
    await writeFile(journal, bytes)
    const damage: JournalDamage[] = []
    await (await openAt(at, { onDamage: async found => void damage.push(found) })).close()
    expect(await found(at)).toEqual(['torn!', 'zeros!', 'whole!', 'below/lost!'])
    expect(damage.map(({ lost }) => lost)).toEqual([[]])
  })

  /** The rows of all files, by which they are verified; `times` collects since when. */
  const rowsOf = (times: number[]) =>
    async function* (time: number) {
      times.push(time)
      for (const name of KEPT)
        yield { object: `files/${name}~1.txt`, size: name.length + 1, sha256: sha256(`${name}!`) }
    }

  test('a record of which nothing can be read: its file is verified by its row, and told before the journal is set aside', async () => {
    const at = await afterPowerCut()
    const journal = join(at, 'staging/gone/a.journal')
    const bytes = await system.readFile(journal)
    bytes.fill(0, BLOCK, 2 * BLOCK)
    await writeFile(journal, bytes)
    const times: number[] = []
    const found: unknown[] = []
    const onDamage = async ({ lost }: JournalDamage) => {
      found.push(
        lost,
        (await readdir(at)).filter(name => name.startsWith('journal-')),
      )
      throw new Error('cannot be recorded')
    }
    const storedSince = rowsOf(times)
    expect((await openAt(at, { storedSince, onDamage }).catch(error => error)).code).toBe('NOT_BROUGHT_BACK')
    const second = async ({ lost }: JournalDamage) => void found.push(lost)
    await (await openAt(at, { storedSince, onDamage: second })).close()
    expect(found).toEqual([['files/zeros~1.txt'], [], ['files/zeros~1.txt']])
    expect(await readdir(at)).toContain('journal-gone-a.journal')
    expect(times).toEqual(times.map(() => WRITTEN_AT - LONGEST_CYCLE))
  })

  test('a file of which the journal of another process is yet to be brought back is not lost', async () => {
    const at = await afterPowerCut()
    const [first, second] = [join(at, 'staging/gone/a.journal'), join(at, 'staging/hone/a.journal')]
    await mkdir(join(at, 'staging/hone'))
    await writeFile(join(at, 'staging/hone.lock'), '')
    const bytes = await system.readFile(first)
    // Each has two of the four records, whichever comes first.
    await writeFile(first, bytes.subarray(0, 2 * BLOCK))
    await writeFile(second, bytes.subarray(2 * BLOCK))
    await writeFile(join(at, 'files/whole~1.txt'), new Uint8Array(6))
    const damage: JournalDamage[] = []
    const onDamage = async (found: JournalDamage) => void damage.push(found)
    await (await openAt(at, { storedSince: rowsOf([]), onDamage })).close()
    expect(damage).toEqual([])
    expect(await found(at)).toEqual(['torn!', 'zeros!', 'whole!', 'below/lost!'])
  })

  test('a file that got another name meanwhile is not lost', async () => {
    const at = await afterPowerCut()
    const journal = join(at, 'staging/gone/a.journal')
    const bytes = await system.readFile(journal)
    await writeFile(journal, bytes.subarray(0, 3 * BLOCK))
    const damage: JournalDamage[] = []
    const onDamage = async (found: JournalDamage) => void damage.push(found)
    const isOwned = async (name: string) => !name.includes('below')
    await (await openAt(at, { storedSince: rowsOf([]), isOwned, onDamage })).close()
    expect(damage).toEqual([])
  })

  test('if that fails, the folder is not opened; whoever opens it next tries again', async () => {
    const at = await afterPowerCut()
    const isOwned = () => Promise.reject(new Error('no rows now'))
    const error = await openAt(at, { isOwned }).catch(error => error)
    expect([error.code, String(error.cause)]).toEqual(['NOT_BROUGHT_BACK', 'Error: no rows now'])
    expect((await readdir(join(at, 'staging'))).sort()).toEqual(['bringing-back.lock', 'gone', 'gone.lock'])
    await (await openAt(at)).close()
    expect(await found(at)).toEqual(['torn!', 'zeros!', 'whole!', 'below/lost!'])
  })

  test('whoever opens the folder meanwhile waits until everything is back', async () => {
    const at = await afterPowerCut()
    const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<boolean>()]
    const isOwned = () => {
      asked.resolve()
      return answer.promise
    }
    const first = openAt(at, { isOwned })
    await asked.promise
    let isOpen = false
    const second = openAt(at).then(opened => {
      isOpen = true
      return opened
    })
    await Bun.sleep(200)
    expect(isOpen).toBe(false)
    answer.resolve(true)
    await (await first).close()
    const opened = await second
    expect(await found(at)).toEqual(['torn!', 'zeros!', 'whole!', 'below/lost!'])
    await opened.close()
  })
})

describe('a short file', () => {
  const keep = async (opened: Storage, name: string, text: string) =>
    opened.commit(opened.stageWhole(new TextEncoder().encode(text)), name, contentOf(text))

  test('that gets another name while a journal has it is copied: the journal knows its old name only', async () => {
    const at = await mkdtemp(join(root, 'moved-'))
    const opened = await createDiskStorage({ root: at, newId })
    await keep(opened, 'files/a~1.txt', 'short')
    const before = await stat(join(at, 'files/a~1.txt'))
    await opened.relocate('files/a~1.txt', 'files/b~1-a.txt')
    const after = await stat(join(at, 'files/b~1-a.txt'))
    expect(after.ino).not.toBe(before.ino)
    expect(Math.floor(after.mtimeMs)).toBe(Math.floor(before.mtimeMs))
    await opened.close()
  })

  test('that some journal had long ago is linked', async () => {
    await put('files/old/x~1.txt', 'x')
    await system.utimes(join(root, 'files/old/x~1.txt'), 1, 1)
    await storage.relocate('files/old/x~1.txt', 'files/old/y~1-a.txt')
    const inodes = ['x~1.txt', 'y~1-a.txt'].map(async name => (await stat(join(root, 'files/old', name))).ino)
    expect(new Set(await Promise.all(inodes)).size).toBe(1)
  })

  test('is flushed by itself where somebody has removed the journal', async () => {
    const at = await mkdtemp(join(root, 'removed-'))
    const opened = await createDiskStorage({ root: at, newId })
    await keep(opened, 'files/a~1.txt', 'short')
    await rm(join(opened.scratch, 'a.journal'))
    await keep(opened, 'files/b~1.txt', 'short')
    expect(await system.readFile(join(at, 'files/b~1.txt'), 'utf8')).toBe('short')
    await rm(opened.scratch, { recursive: true })
    await expect(keep(opened, 'files/c~1.txt', 'short')).rejects.toThrow('ENOENT')
    await opened.close()
  })
})

test('a short file is written under its name once the journal has it; closing leaves nothing staged', async () => {
  const at = await mkdtemp(join(root, 'short-'))
  const opened = await createDiskStorage({ root: at, newId })
  const staging = opened.stageWhole(new TextEncoder().encode('short'))
  await opened.commit(staging, 'files/a/b/short~1.txt', contentOf('short'))
  expect((await readdir(opened.scratch)).sort()).toEqual(['a.journal', 'b.journal'])
  expect(await system.readFile(join(opened.scratch, 'a.journal'), 'latin1')).toContain('short~1.txt')
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
