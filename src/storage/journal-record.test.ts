import { describe, expect, test } from 'bun:test'
import { BLOCK, decodeRecords, encodeRecord, type JournalRecord } from './journal-record.ts'

const record = (name: string, size: number): JournalRecord => ({
  ...{ name, writtenAt: 1_700_000_000_000 + size },
  bytes: new Uint8Array(size).map((_, at) => at * 7 + size),
})
const RECORDS = [
  record('files/a~1.txt', 1),
  record('files/ä "b"\\~2.txt', 0),
  record('files/exactly-a-block~3.bin', BLOCK),
  record('files/long~4.bin', 70_000),
  record('files/new\nline~5.bin', 10),
]
const written = (mark: string, records = RECORDS) =>
  new Uint8Array(Buffer.concat(records.map(one => encodeRecord(one, mark))))
const read = (journal: Uint8Array<ArrayBuffer>) => [...decodeRecords(journal)]
const names = (journal: Uint8Array<ArrayBuffer>) => read(journal).map(({ name }) => name)

test('what was written is read back, in its order', () => {
  expect(read(written('turn'))).toEqual(RECORDS)
  expect(read(new Uint8Array())).toEqual([])
})

test('every record begins a block', () => {
  for (let size = BLOCK - 60; size < BLOCK + 10; size++)
    expect(encodeRecord(record('files/a~1.txt', size), 'turn').length % BLOCK).toBe(0)
})

describe('the first record that is not whole is the end', () => {
  const whole = written('turn')

  test.each([0, 1, 2, 4, 5, 12, 22])('cut off behind block %d', blocks => {
    const kept = read(whole.slice(0, blocks * BLOCK))
    expect(kept).toEqual(RECORDS.slice(0, kept.length))
    expect(kept.length).toBeLessThan(RECORDS.length)
  })

  test.each([0, 5, 30, BLOCK + 20, 2 * BLOCK + 100, 4 * BLOCK + 5_000])(
    'a bit that flipped at byte %d',
    at => {
      const damaged = whole.slice()
      damaged[at]! ^= 1
      const kept = read(damaged)
      expect(kept).toEqual(RECORDS.slice(0, kept.length))
      expect(kept.length).toBeLessThan(RECORDS.length)
    },
  )

  test('blocks of zeros, as a power cut may leave them', () => {
    const torn = whole.slice()
    torn.fill(0, 2 * BLOCK, 3 * BLOCK)
    expect(names(torn)).toEqual(RECORDS.slice(0, 2).map(({ name }) => name))
    expect(read(new Uint8Array(10 * BLOCK))).toEqual([])
  })

  test('heads that are no heads', () => {
    for (const head of [
      '\n',
      '{}\n',
      '[1]\n',
      '[1,"turn",-1,"a",0]\n',
      '[1,"turn",1e99,"a",0]\n',
      '[1,"turn",0,"a"]\n',
      'no json\n',
    ])
      expect(read(new Uint8Array(Buffer.from(head)))).toEqual([])
  })
})

test('what an earlier turn left behind the last record does not count', () => {
  const journal = written('earlier')
  journal.set(written('later', RECORDS.slice(0, 2)))
  expect(names(journal)).toEqual(RECORDS.slice(0, 2).map(({ name }) => name))
})
