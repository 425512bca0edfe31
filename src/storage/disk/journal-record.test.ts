import { describe, expect, test } from 'bun:test'
import { BEGINNING, BLOCK, decodeRecords, encodeRecord, type JournalRecord } from './journal-record.ts'

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
const read = (journal: Uint8Array<ArrayBuffer>) => decodeRecords(journal).records
const names = (journal: Uint8Array<ArrayBuffer>) => read(journal).map(({ name }) => name)

test('what was written is read back, in its order', () => {
  expect(read(written('cycle'))).toEqual(RECORDS)
  expect(read(new Uint8Array())).toEqual([])
})

test('every record begins a block', () => {
  for (let size = BLOCK - 60; size < BLOCK + 10; size++)
    expect(encodeRecord(record('files/a~1.txt', size), 'cycle').length % BLOCK).toBe(0)
})

describe('what is not whole is left out, and reading goes on at the next block', () => {
  const whole = written('cycle')
  const withoutNames = (left: string[]) =>
    RECORDS.map(({ name }) => name).filter(name => !left.includes(name))

  test.each([0, 1, 2, 4, 5, 12, 22])('cut off behind block %d', blocks => {
    const { records, gaps } = decodeRecords(whole.slice(0, blocks * BLOCK))
    expect(records).toEqual(RECORDS.slice(0, records.length))
    expect(records.length).toBeLessThan(RECORDS.length)
    expect(gaps).toEqual([])
  })

  test.each([
    [5, 'files/a~1.txt'],
    [BLOCK + 20, 'files/ä "b"\\~2.txt'],
    [2 * BLOCK + 100, 'files/exactly-a-block~3.bin'],
    [4 * BLOCK + 5_000, 'files/long~4.bin'],
  ])('a bit that flipped at byte %d costs the record it is in, and no other', (at, lost) => {
    const damaged = whole.slice()
    damaged[at]! ^= 1
    const { records, gaps } = decodeRecords(damaged)
    expect(records.map(({ name }) => name)).toEqual(withoutNames([lost]))
    expect(gaps).toHaveLength(1)
  })

  test('blocks of zeros, as a failed write leaves them', () => {
    const torn = whole.slice()
    torn.fill(0, 2 * BLOCK, 3 * BLOCK)
    expect(names(torn)).toEqual(withoutNames(['files/exactly-a-block~3.bin']))
    expect(decodeRecords(torn).gaps).toEqual([{ from: 2 * BLOCK, to: 4 * BLOCK }])
    expect(decodeRecords(new Uint8Array(10 * BLOCK))).toEqual({
      ...{ begunAt: null, records: [] },
      ...{ gaps: [], damaged: [] },
    })
  })

  test('heads that are no heads', () => {
    for (const head of [
      '\n',
      '{}\n',
      '[1]\n',
      '[1,"cycle",-1,"a",0]\n',
      '[1,"cycle",1e99,"a",0]\n',
      '[1,"cycle",0,"a"]\n',
      'no json\n',
    ])
      expect(read(new Uint8Array(Buffer.from(head)))).toEqual([])
  })
})

describe('what an earlier cycle left', () => {
  const earlier = written('earlier')
  const later = (records: JournalRecord[]) => written('later', [BEGINNING, ...records])

  test('behind the last record does not count, and is no gap', () => {
    const journal = earlier.slice()
    journal.set(later(RECORDS.slice(0, 2)))
    expect(decodeRecords(journal)).toEqual({
      ...{ begunAt: BEGINNING.writtenAt, records: RECORDS.slice(0, 2) },
      ...{ gaps: [], damaged: [] },
    })
  })

  test('does not count where a record of the last cycle is damaged', () => {
    const journal = earlier.slice()
    journal.set(later(RECORDS.slice(0, 3)))
    journal[BLOCK + 5]! ^= 1
    expect(names(journal)).toEqual(RECORDS.slice(1, 3).map(({ name }) => name))
  })

  test('counts where it cannot be told which cycle is the last', () => {
    const journal = earlier.slice()
    journal.set(later(RECORDS.slice(0, 1)))
    journal.fill(0, 0, BLOCK)
    expect(names(journal)).toEqual(['files/a~1.txt', ...RECORDS.slice(2).map(({ name }) => name)])
  })
})
