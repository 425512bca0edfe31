/**
 * A file's bytes and name as they stand in a journal (`journal.ts`). Every record begins a block, so no later write touches a
 * block that was flushed before. Records of an earlier turn may lie behind the last one: a turn is told by its mark.
 */
import { crc32 } from 'node:zlib'

export const BLOCK = 4096

/** The end of a journal's file name. */
export const JOURNAL_END = '.journal'

export interface JournalRecord {
  name: string
  bytes: Uint8Array<ArrayBuffer>
  /** When the file was written, in milliseconds: a file that is written again is not newer than what came after it. */
  writtenAt: number
}

const NEW_LINE = 10

/** `[checksum, mark, size, name, time]` as one line of JSON, then the bytes; filled up with zeros. */
export function encodeRecord(content: JournalRecord, mark: string): Uint8Array<ArrayBuffer> {
  const { name, bytes, writtenAt } = content
  const facts = [checksum(mark, content), mark, bytes.length, name, writtenAt]
  const head = Buffer.from(`${JSON.stringify(facts)}\n`)
  const record = new Uint8Array(Math.ceil((head.length + bytes.length) / BLOCK) * BLOCK)
  record.set(head)
  record.set(bytes, head.length)
  return record
}

/** The records of one turn, up to the first that is not whole. */
export function* decodeRecords(journal: Uint8Array<ArrayBuffer>): Generator<JournalRecord> {
  let turn: string | undefined
  for (let at = 0; at < journal.length; ) {
    const end = journal.indexOf(NEW_LINE, at)
    const head = end < 0 ? null : parseHead(Buffer.from(journal.subarray(at, end)).toString())
    if (!head) return
    const [sum, mark, size, name, writtenAt] = head
    const content = { name, bytes: journal.subarray(end + 1, end + 1 + size), writtenAt }
    turn ??= mark
    if (mark !== turn || content.bytes.length !== size || checksum(mark, content) !== sum) return
    yield content
    at = Math.ceil((end + 1 + size) / BLOCK) * BLOCK
  }
}

function parseHead(
  line: string,
): [sum: number, mark: string, size: number, name: string, time: number] | null {
  try {
    const head: unknown = JSON.parse(line)
    if (!Array.isArray(head)) return null
    const [sum, mark, size, name, time] = head
    const isText = typeof mark === 'string' && typeof name === 'string'
    const whole = isText && Number.isSafeInteger(size) && size >= 0 && Number.isFinite(time)
    return whole ? [sum, mark, size, name, time] : null
  } catch {
    return null
  }
}

const checksum = (mark: string, { name, bytes, writtenAt }: JournalRecord) =>
  crc32(bytes, crc32(`${mark} ${writtenAt} ${name}`))
