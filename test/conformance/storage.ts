/**
 * The conformance suite that every storage adapter passes. It tests what `storage.ts` promises, nothing
 * specific to an adapter.
 */
import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PartialLostError, type PartialUpload, type Storage } from '../../src/storage/storage.ts'
import { contentOf, randomBytes } from '../support/bytes.ts'

export interface StorageUnderTest {
  storage: Storage
  dispose(): Promise<void>
}

const text = (value: string) => new TextEncoder().encode(value)

export function storageConformance(name: string, create: () => Promise<StorageUnderTest>): void {
  describe(`storage port: ${name}`, () => {
    let subject: StorageUnderTest | undefined
    let storage: Storage

    // Before each test, so that each reports what is missing if the store cannot be started.
    beforeEach(async () => {
      subject ??= await create()
      storage = subject.storage
    })
    afterAll(() => subject?.dispose())

    async function put(object: string, content: string): Promise<void> {
      const staging = await storage.stage()
      await staging.write(text(content))
      await storage.commit(staging, object, contentOf(content))
    }
    const get = async (object: string) => {
      const opened = await storage.open(object)
      return opened && new TextDecoder().decode(await opened.bytes())
    }
    const names = async (prefix: string) =>
      (await Array.fromAsync(storage.list(prefix))).map(o => o.name).sort()

    test('what was committed is read back, whole', async () => {
      await put('files/a/one~1.txt', 'hello world')
      expect(await get('files/a/one~1.txt')).toBe('hello world')
      expect((await storage.open('files/a/one~1.txt'))?.size).toBe(11)
    })

    test('chunks are appended in order, and may be reused by the writer', async () => {
      const staging = await storage.stage()
      const chunk = text('abc')
      await staging.write(chunk)
      chunk.fill(120)
      await staging.write(chunk)
      await storage.commit(staging, 'files/chunks~1.txt', contentOf('abcxxx'))
      expect(await get('files/chunks~1.txt')).toBe('abcxxx')
    })

    test.each([true, false])('bytes staged as a whole, asked for as a local file before: %p', async asked => {
      const name = `files/whole-${asked}~1.txt`
      for (let time = 0; time < 2; time++) {
        const staging = storage.stageWhole(text('whole'))
        if (asked) expect(await Bun.file(await staging.file()).text()).toBe('whole')
        await storage.commit(staging, name, contentOf('whole'))
        await staging.discard()
        expect(await get(name)).toBe('whole')
      }
      const discarded = storage.stageWhole(text('never'))
      const file = asked ? await discarded.file() : null
      await discarded.discard()
      if (file !== null) expect(await Bun.file(file).exists()).toBe(false)
      await expect(storage.commit(discarded, `${name}x`, contentOf('never'))).rejects.toThrow()
      expect(await storage.open(`${name}x`)).toBeNull()
    })

    test('the mark is a text that is replaced and removed, and no object', async () => {
      expect(await storage.readMark()).toBeNull()
      for (const mark of ['one', 'another, longer', 'x']) {
        await storage.writeMark(mark)
        expect(await storage.readMark()).toBe(mark)
      }
      for (const root of ['files/', 'thumbs/', 'trash/'])
        expect((await names(root)).filter(name => name.includes('fundus-stand'))).toEqual([])
      await storage.writeMark(null)
      await storage.writeMark(null)
      expect(await storage.readMark()).toBeNull()
    })

    test('the key is a text that stays unless it is replaced, and no object', async () => {
      expect(await storage.readKey()).toBeNull()
      await Promise.all(['one', 'two'].map(key => storage.writeKey(key, { replace: false })))
      const first = await storage.readKey()
      expect(['one', 'two']).toContain(first!)
      await storage.writeKey('three', { replace: false })
      expect(await storage.readKey()).toBe(first)
      await storage.writeKey('four', { replace: true })
      expect(await storage.readKey()).toBe('four')
      for (const root of ['files/', 'thumbs/', 'trash/'])
        expect((await names(root)).filter(name => /key|schluessel/.test(name))).toEqual([])
    })

    test('ranges are half open', async () => {
      await put('files/range~1.txt', '0123456789')
      const part = async (start: number, end: number) => {
        const object = (await storage.open('files/range~1.txt', { start, end }))!
        expect(object.size).toBe(10)
        return new Response(object.body).text()
      }
      expect(await part(0, 1)).toBe('0')
      expect(await part(3, 7)).toBe('3456')
      expect(await part(9, 10)).toBe('9')
      expect(await part(0, 10)).toBe('0123456789')
      expect(
        new TextDecoder().decode(
          await (await storage.open('files/range~1.txt', { start: 2, end: 5 }))!.bytes(),
        ),
      ).toBe('234')
    })

    test('an absent object is null, and removing it is no error', async () => {
      expect(await storage.open('files/nowhere/none~1.txt')).toBeNull()
      await storage.remove('files/nowhere/none~1.txt')
      expect(await storage.withLocalFile('files/nowhere/none~1.txt', async () => 1)).toBeNull()
    })

    test('nothing is visible before commit, and nothing after discard', async () => {
      const staging = await storage.stage()
      await staging.write(text('half'))
      expect(await storage.open('files/half~1.txt')).toBeNull()
      await staging.discard()
      await staging.discard()
      await expect(storage.commit(staging, 'files/half~1.txt', contentOf('half'))).rejects.toThrow()
      expect(await storage.open('files/half~1.txt')).toBeNull()
    })

    test('discarding after commit leaves the object', async () => {
      const staging = await storage.stage()
      await staging.write(text('kept'))
      await storage.commit(staging, 'files/kept~1.txt', contentOf('kept'))
      await staging.discard()
      expect(await get('files/kept~1.txt')).toBe('kept')
    })

    test('the same bytes may be given their name again, other bytes leave it whole, old or new', async () => {
      await put('files/twice~1.txt', 'same')
      await put('files/twice~1.txt', 'same')
      expect(await get('files/twice~1.txt')).toBe('same')
      await put('files/twice~1.txt', 'others').catch(() => {})
      expect(['same', 'others']).toContain((await get('files/twice~1.txt'))!)
    })

    test('a reader of an object that is removed finishes undisturbed', async () => {
      const long = 'old'.repeat(500_000)
      await put('files/replaced~1.txt', long)
      const reader = new Response((await storage.open('files/replaced~1.txt'))!.body).body!.getReader()
      const first = (await reader.read()).value!.length
      await storage.remove('files/replaced~1.txt')
      expect(await storage.open('files/replaced~1.txt')).toBeNull()
      let rest = 0
      for (let part = await reader.read(); !part.done; part = await reader.read()) rest += part.value.length
      expect(first + rest).toBe(long.length)
    })

    test('a finished file in scratch can be adopted', async () => {
      const file = join(storage.scratch, 'made-elsewhere')
      await writeFile(file, 'adopted')
      await storage.commit(storage.adopt(file), 'files/adopted~1.txt', contentOf('adopted'))
      expect(await get('files/adopted~1.txt')).toBe('adopted')
      expect(await Bun.file(file).exists()).toBe(false)
    })

    test('removing many answers for each that could not go; absent ones are gone', async () => {
      const all = Array.from({ length: 30 }, (_, at) => `files/many/f${at}~${at}.txt`)
      for (const object of all.slice(1)) await put(object, 'x')
      expect(await storage.removeAll(all)).toEqual(new Map())
      expect(await names('files/many/')).toEqual([])
      expect(await storage.removeAll([])).toEqual(new Map())
    })

    test('what the store itself holds can be read past every cache', async () => {
      await put('files/inspected~1.txt', 'stored')
      const stored = (await storage.inspect('files/inspected~1.txt'))!
      expect([stored.size, new TextDecoder().decode(await stored.bytes())]).toEqual([6, 'stored'])
      expect(await storage.inspect('files/nowhere/none~1.txt')).toBeNull()
    })

    test('relocating makes the bytes readable under both names', async () => {
      if (!storage.namesFollowPaths) return
      await put('files/from/x~1.txt', 'moving')
      await storage.relocate('files/from/x~1.txt', 'files/to/deep/y~1-a.txt')
      expect(await get('files/from/x~1.txt')).toBe('moving')
      expect(await get('files/to/deep/y~1-a.txt')).toBe('moving')
      await storage.remove('files/from/x~1.txt')
      expect(await get('files/to/deep/y~1-a.txt')).toBe('moving')
    })

    test('relocating again is no error, relocating what is absent is one', async () => {
      if (!storage.namesFollowPaths) return
      await put('files/again~1.txt', 'x')
      await storage.relocate('files/again~1.txt', 'files/again~1-b.txt')
      await storage.relocate('files/again~1.txt', 'files/again~1-b.txt')
      await expect(storage.relocate('files/absent~1.txt', 'files/absent~1-b.txt')).rejects.toThrow()
    })

    test('listing goes by prefix, with sizes and times', async () => {
      await put('files/list/a~1.txt', '1')
      await put('files/list/sub/b~2.txt', '22')
      await put('files/list2/c~3.txt', '333')
      await put('thumbs/list/a~1.webp', '4444')
      expect(await names('files/list/')).toEqual(['files/list/a~1.txt', 'files/list/sub/b~2.txt'])
      expect(await names('files/list')).toEqual([
        'files/list/a~1.txt',
        'files/list/sub/b~2.txt',
        'files/list2/c~3.txt',
      ])
      expect(await names('thumbs/list/')).toEqual(['thumbs/list/a~1.webp'])
      expect(await names('files/nothing-here/')).toEqual([])
      const [object] = await Array.fromAsync(storage.list('files/list/sub/'))
      expect(object?.size).toBe(2)
      expect(Math.abs(Date.now() - object!.changedAt)).toBeLessThan(60_000)
      expect(Math.abs(Date.now() - object!.writtenAt)).toBeLessThan(60_000)
    })

    test('staged bytes are no objects, and are cleared when old enough', async () => {
      const before = await names('')
      const staging = await storage.stage()
      await staging.write(text('left behind'))
      await staging.finish()
      expect(await names('files/')).toEqual(before.filter(name => name.startsWith('files/')))
      expect(await storage.clearStaging(60_000)).toBe(0)
      expect(await storage.clearStaging(-1000)).toBeGreaterThanOrEqual(1)
      expect(await Bun.file(await staging.file()).exists()).toBe(false)
    })

    describe('an upload in several requests', () => {
      const MB = 1024 * 1024
      let made = 0
      const newPartial = (length: number): PartialUpload => {
        const id = `partial${++made}`.padEnd(16, '0')
        return { id, object: `files/p/part~${id}.bin`, length, received: 0, state: '' }
      }
      /** Like one request: adds bytes until `end`, in chunks, and saves them. */
      const add = async (upload: PartialUpload, bytes: Uint8Array, end: number) => {
        await using partial = await storage.resumePartial(upload)
        for (let at = upload.received; at < end; at += 300_000) {
          const isDue = await partial.write(bytes.slice(at, Math.min(at + 300_000, end)))
          if (isDue) Object.assign(upload, await partial.save(false))
        }
        Object.assign(upload, await partial.save(true))
      }
      const partials = async () => [...new Set(await Array.fromAsync(storage.listPartial()))]
      const finish = async (upload: PartialUpload, bytes: Uint8Array) => {
        await using partial = await storage.resumePartial(upload)
        await partial.write(bytes.subarray(upload.received))
        Object.assign(upload, await partial.save(true))
        await using staging = await partial.finish()
        await storage.commit(staging, staging.object ?? upload.object, contentOf(bytes))
      }

      const removedUnfinished = (kept?: Set<string>) => storage.removeUnfinished(-60_000, kept)

      test.each([
        ['short', 1000, [1, 2, 999]],
        ['of several parts', 33 * MB, [5, 17 * MB]],
      ])(
        '%s: each continues where the last one ended, and the whole is committed',
        async (_, length, ends) => {
          const bytes = randomBytes(length, length)
          const upload = newPartial(length)
          for (const end of ends) {
            await add(upload, bytes, end)
            expect(upload.received).toBe(end)
            expect(await partials()).toContain(upload.id)
          }
          // One that may be continued stays.
          expect(await removedUnfinished(new Set([upload.object]))).toBe(0)
          await finish(upload, bytes)
          const stored = await storage.inspect(upload.object)
          expect(contentOf(await stored!.bytes())).toEqual(contentOf(bytes))
          await storage.removePartial(upload.id)
          expect(await partials()).not.toContain(upload.id)
          expect(await storage.measure(upload.object)).toBe(length)
          await storage.remove(upload.object)
        },
      )

      test('bytes that were not saved are written again, and the last step may be repeated', async () => {
        const bytes = randomBytes(7, 17 * MB)
        const upload = newPartial(bytes.length)
        await add(upload, bytes, 16 * MB)
        {
          await using died = await storage.resumePartial(upload)
          await died.write(new Uint8Array(1000).fill(1))
        }
        await finish(upload, bytes)
        await finish(upload, bytes)
        expect(contentOf(await (await storage.inspect(upload.object))!.bytes())).toEqual(contentOf(bytes))
        await storage.removePartial(upload.id, upload)
        await storage.remove(upload.object)
      })

      test.each([3, 17 * MB])('one that is given up leaves nothing (after %p bytes)', async end => {
        const upload = newPartial(20 * MB)
        await add(upload, randomBytes(9, end), end)
        await storage.removePartial(upload.id, upload)
        expect(await partials()).not.toContain(upload.id)
        expect(await storage.measure(upload.object)).toBeNull()
        expect(await removedUnfinished()).toBe(0)
        await expect(storage.resumePartial(upload)).rejects.toThrow(PartialLostError)
      })
    })

    test('a local file of the object can be read', async () => {
      await put('files/local~1.txt', 'local')
      expect(await storage.withLocalFile('files/local~1.txt', file => Bun.file(file).text())).toBe('local')
    })

    test('an object is measured as it was stored; an absent one is null', async () => {
      await put('files/measured~1.txt', '12345')
      expect(await storage.measure('files/measured~1.txt')).toBe(5)
      expect(await storage.measure('files/nowhere/none~1.txt')).toBeNull()
    })

    test('a probe finds a store that works, and leaves nothing behind', async () => {
      const before = await names('')
      await storage.probe()
      expect(await names('')).toEqual(before)
      expect(await storage.clearStaging(-1000)).toBe(0)
    })

    test('many objects come and go in one folder at once', async () => {
      const all = Array.from({ length: 40 }, (_, at) => `files/busy/f${at}~${at}.txt`)
      await Promise.all(all.map((object, at) => put(object, String(at))))
      expect(await names('files/busy/')).toEqual([...all].sort())
      // Every removal may empty the folder that the next commit needs.
      await Promise.all(all.map(object => storage.remove(object).then(() => put(`${object}x`, 'again'))))
      expect(await names('files/busy/')).toEqual(all.map(object => `${object}x`).sort())
    })
  })
}

export const removeFolder = (folder: string) => rm(folder, { recursive: true, force: true })
