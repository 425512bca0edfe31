import { afterAll, afterEach, describe, expect, jest, test } from 'bun:test'
import { fstatSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { SECOND } from '../../contract/values/units.ts'
import { ReadyAnswer } from '../../http/server/answers.ts'
import { localFileRange } from '../../storage/local/local-object.ts'
import { createPreparedAnswers, type PreparedAnswer } from './prepared.ts'

const answer = (text: string, size = text.length): PreparedAnswer => ({
  path: text,
  size,
  etag: `"${text}"`,
  modified: 0,
  whole: new ReadyAnswer(200, {}, Buffer.from(text)),
  notModified: new ReadyAnswer(304, {}, null),
})
const KB = 1024

const MB = KB * KB

describe('what is read into memory', () => {
  test('small objects in any memory that holds one; large ones by the memory there is, but not where the kernel sends them for less', () => {
    const admitted = (megabytes: number) =>
      [0, 128, 129, 256, 512, 1023.9, 1024].filter(size =>
        createPreparedAnswers(megabytes * MB).admits(size * KB, false),
      )
    expect([0, 1, 32, 64, 4096].map(admitted)).toEqual([
      [],
      [0, 128],
      [0, 128, 129, 256],
      [0, 128, 129, 256, 512],
      [0, 128, 129, 256, 512, 1023.9],
    ])
  })

  test.each([400, 10])(
    'objects of %d KB only while there is room, until those kept are no longer asked for',
    size => {
      const prepared = createPreparedAnswers(size * 160 * KB)
      let kept = 0
      for (; prepared.admits(size * KB, false); kept++)
        prepared.put(`first ${kept}`, answer('first', size * KB))
      expect(kept).toBeGreaterThan(120)
      const renewed = Array.from({ length: 1000 }, (_, at) => {
        if (!prepared.admits(size * KB, false)) return false
        prepared.put(`second ${at}`, answer('second', size * KB))
        return true
      })
      const times = renewed.filter(Boolean).length
      expect(times).toBeGreaterThan(80)
      expect(times).toBeLessThan(200)
    },
  )
})

test('an object that takes nearly all the memory gets it from answers that cost little', () => {
  const prepared = createPreparedAnswers(131 * KB)
  const little = { ...answer('little', 0), whole: null }
  for (const name of ['a', 'b', 'c', 'd', 'e']) prepared.put(name, little)
  expect([1, 2, 3].map(() => prepared.admits(128 * KB, false))).toEqual([false, true, true])
})

describe('prepared answers', () => {
  test('what was put is found, and nothing else', () => {
    const prepared = createPreparedAnswers(100 * KB)
    const one = answer('one')
    prepared.put('a', one)
    expect(prepared.get('a')).toBe(one)
    expect(prepared.get('b')).toBeUndefined()
  })

  test('the one that was not asked for longest goes first', () => {
    // Has room for three answers: each costs its bytes and a little more.
    const prepared = createPreparedAnswers(3 * 32 * KB)
    for (const name of ['a', 'b', 'c']) prepared.put(name, answer(name, 28 * KB))
    prepared.get('a')
    prepared.put('d', answer('d', 28 * KB))
    expect(['a', 'b', 'c', 'd'].filter(name => prepared.get(name))).toEqual(['a', 'c', 'd'])
  })

  test('a large one takes the place of several small ones', () => {
    const prepared = createPreparedAnswers(100 * KB)
    for (const name of ['a', 'b', 'c', 'd']) prepared.put(name, answer(name, 20 * KB))
    prepared.put('large', answer('large', 70 * KB))
    expect(['a', 'b', 'c', 'd', 'large'].filter(name => prepared.get(name))).toEqual(['d', 'large'])
  })

  test('an answer without bytes costs no bytes', () => {
    const prepared = createPreparedAnswers(10 * KB)
    prepared.put('large', { ...answer('large', 100 * MB), whole: null })
    expect(prepared.get('large')?.notModified?.status).toBe(304)
  })

  test('one that is larger than all the room is not kept, and drives nothing out', () => {
    const prepared = createPreparedAnswers(100 * KB)
    prepared.put('small', answer('small', KB))
    prepared.put('huge', answer('huge', 101 * KB))
    expect([prepared.get('small')?.path, prepared.get('huge')]).toEqual(['small', undefined])
  })

  test('put again, it is replaced and not counted twice', () => {
    const prepared = createPreparedAnswers(100 * KB)
    prepared.put('other', answer('other', 20 * KB))
    for (let round = 0; round < 50; round++) prepared.put('a', answer(`round ${round}`, 20 * KB))
    expect([prepared.get('a')?.path, prepared.get('other')?.path]).toEqual(['round 49', 'other'])
  })

  test('even empty answers have a bound on their number', () => {
    const prepared = createPreparedAnswers(100 * KB)
    for (let at = 0; at < 10_000; at++) prepared.put(String(at), answer(''))
    const kept = Array.from({ length: 10_000 }, (_, at) => prepared.get(String(at))).filter(Boolean)
    expect(kept.length).toBeGreaterThan(0)
    expect(kept.length).toBeLessThan(1000)
  })

  test('whatever is put and asked for: what was asked for since the hand came by is spared', () => {
    const OVERHEAD = 2048
    const step = fc.tuple(fc.constantFrom(...'abcdef'), fc.option(fc.integer({ min: 0, max: 60 * KB })))
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), steps => {
        const prepared = createPreparedAnswers(100 * KB)
        const model: { name: string; cost: number; asked: boolean }[] = []
        let hand = 0
        const drop = (at: number) => {
          model.splice(at, 1)
          if (at < hand) hand--
        }
        for (const [name, size] of steps) {
          const known = model.find(entry => entry.name === name)
          if (size === null) {
            expect(prepared.get(name) !== undefined).toBe(known !== undefined)
            if (known) known.asked = true
            continue
          }
          prepared.put(name, answer(name, size))
          if (known) drop(model.indexOf(known))
          const cost = size + OVERHEAD
          while (model.reduce((sum, entry) => sum + entry.cost, cost) > 100 * KB) {
            if (hand === model.length) hand = 0
            if (model[hand]!.asked) model[hand++]!.asked = false
            else drop(hand)
          }
          model.push({ name, cost, asked: false })
        }
        const kept = [...'abcdef'].filter(name => prepared.get(name) !== undefined)
        expect(kept).toEqual(model.map(({ name }) => name).sort())
      }),
      { numRuns: 200 },
    )
  })
})

test('an answer that is driven out gives up its bytes, once no reader is left to whom they are being sent', () => {
  const prepared = createPreparedAnswers(100 * KB)
  const bytes = crypto.getRandomValues(new Uint8Array(60 * KB))
  const whole = new ReadyAnswer(200, {}, bytes)
  prepared.put('a', { ...answer('a', bytes.length), whole })
  const sent = whole.acquire().bytes()
  // An answer that is put again with the same bytes keeps them.
  prepared.put('a', { ...answer('a', bytes.length), whole })
  prepared.put('b', answer('b', 60 * KB))
  expect(prepared.get('a')).toBeUndefined()
  expect(Buffer.compare(sent.subarray(-bytes.length), bytes)).toBe(0)
  whole.release()
  expect(sent.length).toBe(0)
})

describe.skipIf(process.platform !== 'linux')('files that the kernel sends', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fundus-prepared-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  afterEach(() => void jest.useRealTimers())
  const file = join(folder, 'file')
  writeFileSync(file, Buffer.alloc(64 * KB))
  const whole = () => new ReadyAnswer(200, {}, localFileRange(file, { start: 0, end: 64 * KB }))
  const isOpen = ({ descriptor }: ReadyAnswer) => {
    try {
      fstatSync(descriptor!)
      return true
    } catch {
      return false
    }
  }

  test('are not read into memory, and stay open up to a number', () => {
    const prepared = createPreparedAnswers(100 * MB)
    expect([prepared.admits(64 * KB - 1, true), prepared.admits(64 * KB, true)]).toEqual([true, false])
    expect([prepared.admitsFile(64 * KB - 1), prepared.admitsFile(64 * KB)]).toEqual([false, true])
    const kept = Array.from({ length: 256 }, (_, at) => {
      const one = whole()
      prepared.put(`file ${at}`, { ...answer('file', 64 * KB), whole: one })
      return one
    })
    expect(prepared.admitsFile(64 * KB)).toBe(false)
    // A file that is put again, as with its 304, is not counted twice.
    prepared.put('file 0', { ...answer('file', 64 * KB), whole: kept[0]! })
    prepared.put('file 1', { ...answer('file', 64 * KB), whole: null })
    expect([prepared.admitsFile(64 * KB), isOpen(kept[0]!), isOpen(kept[1]!)]).toEqual([true, true, false])
    prepared.close()
  })

  test('are closed at the end, and none is kept after it', () => {
    const prepared = createPreparedAnswers(100 * MB)
    const [before, after] = [whole(), whole()]
    prepared.put('before', { ...answer('before', 64 * KB), whole: before })
    prepared.close()
    prepared.put('after', { ...answer('after', 64 * KB), whole: after })
    expect([before, after].map(isOpen)).toEqual([false, false])
    expect([prepared.admitsFile(64 * KB), prepared.get('after')]).toEqual([false, undefined])
  })

  test('are closed once nobody reads them for 10 to 20 seconds, except while they are being sent', () => {
    jest.useFakeTimers()
    const prepared = createPreparedAnswers(100 * MB)
    const [read, sent, idle] = [whole(), whole(), whole()]
    for (const [name, one] of Object.entries({ read, sent, idle }))
      prepared.put(name, { ...answer(name, 64 * KB), whole: one })
    sent.acquire()
    jest.advanceTimersByTime(10 * SECOND)
    prepared.get('read')
    expect([read, sent, idle].map(isOpen)).toEqual([true, true, true])
    jest.advanceTimersByTime(10 * SECOND)
    expect([read, sent, idle].map(isOpen)).toEqual([true, true, false])
    sent.release()
    expect(isOpen(sent)).toBe(false)
    jest.advanceTimersByTime(10 * SECOND)
    expect(isOpen(read)).toBe(false)
    // The timer ended with the last file.
    expect(jest.getTimerCount()).toBe(0)
  })
})
