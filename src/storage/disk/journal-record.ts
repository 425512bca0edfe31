/**
 * The record format of a journal (`journal.ts`). Every record starts on a block boundary, so no later write
 * touches a flushed block. A new cycle overwrites the file from its start, so records of an earlier cycle may
 * follow the last valid one; each record carries the id of its cycle.
 */
import { crc32 } from 'node:zlib'

export const BLOCK = 4096

export const JOURNAL_END = '.journal'

export interface JournalRecord {
  name: string
  bytes: Uint8Array<ArrayBuffer>
  /** Milliseconds: a file that is written again must not be newer than what came after it. */
  writtenAt: number
}

const NEW_LINE = 10

/** `[checksum, cycle, size, name, time]` as one line of JSON, then the bytes; padded with zeros. */
export function encodeRecord(content: JournalRecord, cycle: string): Uint8Array<ArrayBuffer> {
  const { name, bytes, writtenAt } = content
  const facts = [checksum(cycle, content), cycle, bytes.length, name, writtenAt]
  const head = Buffer.from(`${JSON.stringify(facts)}\n`)
  const record = new Uint8Array(Math.ceil((head.length + bytes.length) / BLOCK) * BLOCK)
  record.set(head)
  record.set(bytes, head.length)
  return record
}

/**
 * The first record of every cycle is not a file: it only states the id of the cycle. Its time is that of the
 * first file's record, zero while there is none.
 */
export const BEGINNING: JournalRecord = { name: '', bytes: new Uint8Array(), writtenAt: 0 }

export interface DecodedJournal {
  /** The time in the first record; null if it cannot be read. */
  begunAt: number | null
  /** The records of the last cycle; if that is unknown, of every cycle whose blocks still exist. */
  records: JournalRecord[]
  /** Unreadable blocks followed by intact records: a record was lost there, or its upload was refused. */
  gaps: { from: number; to: number }[]
  /** Files whose name can be read but not their bytes; `isWhole` compares bytes with the record. */
  damaged: { name: string; isWhole(bytes: Uint8Array<ArrayBuffer>): boolean }[]
}

/** Skips incomplete records block by block. Uploads of incomplete records at the end got no answer. */
export function decodeRecords(journal: Uint8Array<ArrayBuffer>): DecodedJournal {
  const current = parseAt(journal, 0)?.cycle
  const decoded: DecodedJournal = { begunAt: null, records: [], gaps: [], damaged: [] }
  let gap: number | null = null
  for (let at = 0; at < journal.length; ) {
    const found = parseAt(journal, at)
    // Behind the records of this cycle come those of an earlier one.
    if (found && current !== undefined && found.cycle !== current) gap = Number.POSITIVE_INFINITY
    else if (found?.isWhole) {
      if (gap !== null && gap < at) decoded.gaps.push({ from: gap, to: at })
      gap = null
      if (found.content.name !== BEGINNING.name) decoded.records.push(found.content)
      else if (at === 0) decoded.begunAt = found.content.writtenAt
    } else {
      gap ??= at
      if (found) decoded.damaged.push(found.damaged)
    }
    at = found?.isWhole ? found.next : at + BLOCK
  }
  return decoded
}

function parseAt(journal: Uint8Array<ArrayBuffer>, at: number) {
  const end = journal.indexOf(NEW_LINE, at)
  const head = end < 0 ? null : parseHead(Buffer.from(journal.subarray(at, end)).toString())
  if (!head) return null
  const [sum, cycle, size, name, writtenAt] = head
  const content = { name, bytes: journal.subarray(end + 1, end + 1 + size), writtenAt }
  const isWhole = content.bytes.length === size && checksum(cycle, content) === sum
  const damaged = {
    name,
    isWhole: (bytes: Uint8Array<ArrayBuffer>) =>
      bytes.length === size && checksum(cycle, { name, bytes, writtenAt }) === sum,
  }
  return { cycle, content, isWhole, damaged, next: Math.ceil((end + 1 + size) / BLOCK) * BLOCK }
}

function parseHead(
  line: string,
): [sum: number, cycle: string, size: number, name: string, time: number] | null {
  try {
    const head: unknown = JSON.parse(line)
    if (!Array.isArray(head)) return null
    const [sum, cycle, size, name, time] = head
    const isText = typeof cycle === 'string' && typeof name === 'string'
    const whole = isText && Number.isSafeInteger(size) && size >= 0 && Number.isFinite(time)
    return whole ? [sum, cycle, size, name, time] : null
  } catch {
    return null
  }
}

const checksum = (cycle: string, { name, bytes, writtenAt }: JournalRecord) =>
  crc32(bytes, crc32(`${cycle} ${writtenAt} ${name}`))
