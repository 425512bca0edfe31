/**
 * SQLite's log (`-wal`) as a file: https://www.sqlite.org/fileformat2.html#walformat. SQLite checks the
 * checksums only after a crash. While the database is open SQLite trusts what it reads, even if the kernel
 * has dropped pages that it could not write and returns older contents of the disk.
 */
import type { FileHandle } from 'node:fs/promises'

const HEADER = 32
const FRAME_HEADER = 24
/** The last bit tells the byte order of the checksums. */
const MAGIC = 0x377f0682
/** Bytes per read, approximately. */
const CHUNK = 1024 * 1024

type Checksum = readonly [number, number]

/** The log differs from what was committed. */
export class LogLostError extends Error {
  override readonly name = 'LogLostError'
}

/** The salts in the log's header, which identify its generation. Null without a header. */
export async function saltsOf(log: FileHandle): Promise<string | null> {
  const header = await readAt(log, 0, HEADER)
  const isHeader = header.length === HEADER && header.readUInt32BE(0) >>> 1 === MAGIC >>> 1
  return isHeader ? header.toString('hex', 16, 24) : null
}

/**
 * Reads the log up to a number of frames and verifies it. Throws `LogLostError` if it differs from what was
 * committed.
 */
export async function* checkedLog(log: FileHandle, frames: number): AsyncGenerator<Uint8Array> {
  const header = await readAt(log, 0, HEADER)
  const salts = await saltsOf(log)
  if (salts === null) throw new LogLostError('the log has no beginning')
  const isLittle = header.readUInt32BE(0) === MAGIC
  let sum = addTo([0, 0], header, 0, HEADER - 8, isLittle)
  if (!isEqual(sum, checksumAt(header, HEADER - 8)))
    throw new LogLostError('the beginning of the log is damaged')
  yield header
  const frame = FRAME_HEADER + header.readUInt32BE(8)
  const atOnce = Math.ceil(CHUNK / frame)
  for (let done = 0; done < frames; ) {
    const count = Math.min(atOnce, frames - done)
    const chunk = await readAt(log, HEADER + done * frame, count * frame)
    if (chunk.length < count * frame) throw new LogLostError('the log is too short')
    for (let at = 0; at < chunk.length; at += frame) {
      sum = addTo(sum, chunk, at, 8, isLittle)
      sum = addTo(sum, chunk, at + FRAME_HEADER, frame - FRAME_HEADER, isLittle)
      const isWhole =
        chunk.toString('hex', at + 8, at + 16) === salts && isEqual(sum, checksumAt(chunk, at + 16))
      if (!isWhole) throw new LogLostError('a part of the log is damaged')
    }
    yield chunk
    done += count
  }
}

function addTo([s0, s1]: Checksum, bytes: Buffer, from: number, length: number, isLittle: boolean): Checksum {
  const view = new DataView(bytes.buffer, bytes.byteOffset + from, length)
  for (let at = 0; at < length; at += 8) {
    s0 = (s0 + view.getUint32(at, isLittle) + s1) >>> 0
    s1 = (s1 + view.getUint32(at + 4, isLittle) + s0) >>> 0
  }
  return [s0, s1]
}

const checksumAt = (bytes: Buffer, at: number): Checksum => [
  bytes.readUInt32BE(at),
  bytes.readUInt32BE(at + 4),
]
const isEqual = (one: Checksum, other: Checksum) => one[0] === other[0] && one[1] === other[1]

async function readAt(log: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  let read = 0
  while (read < length) {
    const { bytesRead } = await log.read(bytes, read, length - read, position + read)
    if (bytesRead === 0) break
    read += bytesRead
  }
  return bytes.subarray(0, read)
}
