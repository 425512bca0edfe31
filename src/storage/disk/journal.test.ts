import { afterAll, describe, expect, mock, test } from 'bun:test'
import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { useFolder } from '../../../test/support/folder.ts'
import { eventually } from '../../../test/support/wait.ts'
import { newId } from '../../base/ids.ts'
import { flushFailuresIn } from '../local/flush-failures.ts'
import { StorageFullError } from '../storage.ts'
import { createJournal, type Journal, type JournalParts, journaled } from './journal.ts'
import { BLOCK, type JournalRecord } from './journal-record.ts'

const root = await useFolder()
let folders = 0

const record = (name: string, size = 100): JournalRecord => ({
  ...{ name, writtenAt: 1 },
  bytes: new Uint8Array(size).fill(7),
})
const kept = async (folder: string) =>
  (await Array.fromAsync(journaled(folder))).flatMap(({ records }) => records.map(({ name }) => name))
const nothing = async () => {}

const opened: Journal[] = []
// Some of them have lost their disk.
afterAll(() => Promise.allSettled(opened.map(journal => journal.close())))

async function open(parts: Partial<JournalParts> = {}) {
  const folder = join(root, 'staging', `journal-${folders++}`)
  await mkdir(folder, { recursive: true })
  const flushAll = mock(nothing)
  const rewrite = mock(nothing as (record: JournalRecord) => Promise<void>)
  const failures = flushFailuresIn(join(folder, 'failures'))
  const sharing = { failures, hasOthers: async () => false }
  const journal = createJournal({ folder, newId, flushAll, rewrite, cycle: 20, ...sharing, ...parts })
  opened.push(journal)
  return { folder, journal, flushAll, rewrite, failures }
}

describe('while all is well', () => {
  test('a file gets its name after the journal has it', async () => {
    const { folder, journal } = await open({ cycle: 60_000 })
    const seen: string[][] = []
    const place = async () => void seen.push(await kept(folder))
    expect(await journal.keep(record('a'), place)).toBe(true)
    expect(await journal.keep(record('b'), place)).toBe(true)
    expect(seen).toEqual([['a'], ['a', 'b']])
  })

  test('knows which files depend on it', async () => {
    const { journal } = await open({ cycle: 60_000 })
    expect(journal.has('a')).toBe(false)
    await journal.keep(record('a'), nothing)
    expect([journal.has('a'), journal.has('b')]).toEqual([true, false])
    await journal.close()
    expect(journal.has('a')).toBe(false)
  })

  test('many at a time are all kept', async () => {
    const { folder, journal } = await open({ cycle: 60_000 })
    const names = Array.from({ length: 300 }, (_, at) => `file-${at}`)
    await Promise.all(names.map(name => journal.keep(record(name, 5000), nothing)))
    expect(await kept(folder)).toEqual(names)
  })

  test('tells since when it has kept files, also where the first of them is damaged; nothing between two cycles', async () => {
    const { folder, journal } = await open({ cycle: 60_000 })
    const since = async () => (await Array.fromAsync(journaled(folder))).map(each => each.since)
    expect(await since()).toEqual([])
    await journal.keep({ ...record('a'), writtenAt: 7 }, nothing)
    await journal.keep({ ...record('b'), writtenAt: 9 }, nothing)
    const file = join(folder, 'a.journal')
    await writeFile(file, (await Bun.file(file).bytes()).fill(0, BLOCK, 2 * BLOCK))
    expect([await kept(folder), await since()]).toEqual([['b'], [7]])
    await journal.close()
    expect(await since()).toEqual([Number.POSITIVE_INFINITY])
  })

  test('a cycle later the file system is flushed, then the journal forgets', async () => {
    const seen: string[][] = []
    const flushAll = async () => void seen.push(await kept(folder))
    const { folder, journal } = await open({ flushAll })
    await journal.keep(record('a'), nothing)
    await eventually('the next cycle', async () => (await kept(folder)).length === 0)
    expect(seen).toEqual([['a']])
    await journal.keep(record('b'), nothing)
    await eventually('the next cycle', async () => (await kept(folder)).length === 0)
    expect(seen).toEqual([['a'], ['b']])
  })

  test('the file system is flushed only after every file of the cycle has its name', async () => {
    const { journal, flushAll } = await open()
    const slow = Promise.withResolvers<void>()
    const keeping = journal.keep(record('slow'), () => slow.promise)
    await Bun.sleep(60)
    expect(flushAll).toHaveBeenCalledTimes(0)
    slow.resolve()
    await keeping
    await eventually('the next cycle', async () => flushAll.mock.calls.length === 1)
  })

  test('closing flushes the file system at once, but not for nothing', async () => {
    const { folder, journal, flushAll } = await open({ cycle: 60_000 })
    await journal.keep(record('a'), nothing)
    await journal.close()
    expect([flushAll.mock.calls.length, await kept(folder)]).toEqual([1, []])
    const unused = await open()
    await unused.journal.close()
    expect(unused.flushAll).toHaveBeenCalledTimes(0)
  })
})

describe('closing', () => {
  test('waits for what is under way; what comes meanwhile or later is not taken', async () => {
    const flushing = Promise.withResolvers<void>()
    const flushAll = mock(() => flushing.promise)
    const { folder, journal } = await open({ cycle: 60_000, flushAll })
    await journal.keep(record('a'), nothing)
    const closed = journal.close()
    await eventually('the flush', () => flushAll.mock.calls.length === 1)
    expect(await journal.keep(record('b'), nothing)).toBe(false)
    flushing.resolve()
    await closed
    expect(await journal.keep(record('c'), nothing)).toBe(false)
    expect(await kept(folder)).toEqual([])
  })
})

describe('a disk that is slow', () => {
  test('the other journal takes over; when both are full, files are flushed by themselves', async () => {
    const flushed = Promise.withResolvers<void>()
    const { folder, journal } = await open({ full: 40_000, cycle: 60_000, flushAll: () => flushed.promise })
    const answers: boolean[] = []
    for (let at = 0; at < 14; at++) answers.push(await journal.keep(record(`${at}`, 4000), nothing))
    expect(answers).toEqual([...Array(10).fill(true), ...Array(4).fill(false)])
    expect(await kept(folder)).toHaveLength(10)
    flushed.resolve()
    await eventually('the next cycle', () => journal.keep(record('again'), nothing))
    await journal.close()
  })
})

describe('a disk with faults', () => {
  const fail = () => Promise.reject(new Error('EIO'))

  test('if the file system cannot be flushed, every file is written again', async () => {
    const { folder, journal, rewrite } = await open({ flushAll: fail })
    await Promise.all(['a', 'b'].map(name => journal.keep(record(name), nothing)))
    await eventually('the next cycle', async () => (await kept(folder)).length === 0)
    expect(rewrite.mock.calls.map(([{ name }]) => name)).toEqual(['a', 'b'])
    await eventually('the end of the trouble', () => journal.trouble() === null)
    expect(await journal.keep(record('c'), nothing)).toBe(true)
  })

  test('the error that one journal is told of may be about the files of the other: those are written again, too', async () => {
    const flushing = Promise.withResolvers<void>()
    const flushAll = mock(nothing).mockImplementationOnce(() => flushing.promise)
    const { folder, journal, rewrite } = await open({ flushAll })
    await journal.keep(record('a'), nothing)
    await eventually('the flush', () => flushAll.mock.calls.length === 1)
    await journal.keep(record('b'), nothing)
    flushing.reject(new Error('EIO'))
    await eventually('both cycles are over', async () => (await kept(folder)).length === 0)
    expect(rewrite.mock.calls.map(([{ name }]) => name)).toEqual(['a', 'b'])
    await journal.close()
  })

  test('so may the error that another process was told of, which says so a moment later', async () => {
    const flushAll = mock(nothing)
    const { folder, journal, rewrite, failures } = await open({ flushAll, hasOthers: async () => true })
    await journal.keep(record('a'), nothing)
    await eventually('the flush', () => flushAll.mock.calls.length === 1)
    failures.note()
    await eventually('the cycle is over', async () => (await kept(folder)).length === 0)
    expect(rewrite.mock.calls.map(([{ name }]) => name)).toEqual(['a'])
    await journal.close()
  })

  test('every error is told', async () => {
    const faults: unknown[] = []
    const { folder, journal } = await open({ flushAll: fail, onFault: cause => faults.push(cause) })
    await journal.keep(record('a'), nothing)
    await eventually('the next cycle', async () => (await kept(folder)).length === 0)
    expect(faults.map(String)).toEqual(['Error: files cannot be flushed'])
    await journal.close()
  })

  test('if that fails too, the journal stays as it is and says so, until it can be done', async () => {
    let broken = true
    const rewrite = mock(async (_: JournalRecord) => {
      if (broken) throw new Error('EIO')
    })
    // The system tells of an error once: the second flush seems to succeed.
    const flushAll = mock(nothing).mockImplementationOnce(fail)
    const { folder, journal } = await open({ flushAll, rewrite, cycle: 20 })
    await journal.keep(record('a'), nothing)
    await eventually('the trouble', () => journal.trouble() !== null)
    expect(String(journal.trouble())).toContain('cannot be flushed')
    await Bun.sleep(60)
    expect(await kept(folder)).toContain('a')
    broken = false
    await eventually('the end of the trouble', () => journal.trouble() === null)
    expect(rewrite.mock.lastCall![0].name).toBe('a')
    expect(await kept(folder)).not.toContain('a')
    await journal.close()
  })

  test('closing tries once more, and rejects if the journal is still needed', async () => {
    const { folder, journal } = await open({ flushAll: fail, rewrite: fail, cycle: 60_000 })
    await journal.keep(record('a'), nothing)
    await expect(journal.close()).rejects.toThrow('cannot be flushed')
    expect(await kept(folder)).toEqual(['a'])
  })

  test('the trouble is known from the flush that failed on, not only when nothing else helps', async () => {
    const writing = Promise.withResolvers<void>()
    const { journal } = await open({ flushAll: fail, rewrite: () => writing.promise })
    await journal.keep(record('a'), nothing)
    await eventually('the trouble', () => journal.trouble() !== null)
    writing.resolve()
    await eventually('the end of the trouble', () => journal.trouble() === null)
    await journal.close()
  })

  test('a flush that does not end is trouble, until it ends', async () => {
    const flushing = Promise.withResolvers<void>()
    const { journal } = await open({ flushAll: () => flushing.promise, patience: 40 })
    await journal.keep(record('a'), nothing)
    await eventually('the trouble', () => String(journal.trouble()?.cause).includes('not within 40 ms'))
    flushing.resolve()
    await eventually('the end of the trouble', () => journal.trouble() === null)
    await journal.close()
  })

  test('a journal that somebody has removed takes nothing, and no file gets its name by it', async () => {
    const { folder, journal } = await open({ cycle: 60_000 })
    expect(await journal.keep(record('a'), nothing)).toBe(true)
    await rm(join(folder, 'a.journal'))
    const place = mock(nothing)
    expect(await journal.keep(record('b'), place)).toBe(false)
    expect(place).toHaveBeenCalledTimes(0)
    await journal.close()
  })

  test('a file that cannot get its name is the error of its upload alone', async () => {
    const { journal, flushAll } = await open()
    await expect(journal.keep(record('a'), fail)).rejects.toThrow('EIO')
    expect(await journal.keep(record('b'), nothing)).toBe(true)
    await eventually('the next cycle', () => flushAll.mock.calls.length > 0)
  })

  test('a full disk is a full store, and no file gets its name; the journal works again when there is room', async () => {
    const { folder, journal, flushAll } = await open()
    for (const name of ['a', 'b']) await symlink('/dev/full', join(folder, `${name}.journal`))
    const place = mock(nothing)
    expect(await journal.keep(record('a'), place).catch(e => e)).toBeInstanceOf(StorageFullError)
    expect(place).toHaveBeenCalledTimes(0)
    await eventually('the next cycle', () => flushAll.mock.calls.length > 0)
    expect(journal.trouble()).toBeNull()
    await journal.close()
  })

  test('without a place for the journal files are flushed by themselves', async () => {
    const absent = join(root, 'staging', 'absent')
    const { journal } = await open({ folder: absent })
    expect(await journal.keep(record('a'), nothing)).toBe(false)
    await mkdir(join(absent, 'b.journal'), { recursive: true })
    const openFiles = async () => (await readdir('/proc/self/fd')).length
    const before = await openFiles()
    for (let at = 0; at < 20; at++) expect(await journal.keep(record('a'), nothing)).toBe(false)
    expect(await openFiles()).toBeLessThan(before + 10)
    await rm(join(absent, 'b.journal'), { recursive: true })
    expect(await journal.keep(record('a'), nothing)).toBe(true)
    await journal.close()
  })
})
