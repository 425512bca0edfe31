/**
 * Reads and verifies SQLite's log (`-wal`): https://www.sqlite.org/fileformat2.html#walformat. SQLite itself
 * checks the checksums only after a crash. While the database is open it trusts what it reads, even if the
 * kernel has dropped pages that it could not write and returns older contents of the disk.
 */
import type { FileHandle } from 'node:fs/promises'

const HEADER_SIZE = 32
const FRAME_HEADER_SIZE = 24
/** The first four bytes of a log. The last bit is the byte order of the checksums: 0 is little-endian. */
const MAGIC = 0x377f0682
/** Bytes per read, approximately. */
const CHUNK_SIZE = 1024 * 1024

type Checksum = readonly [number, number]

/** The log file does not contain what was committed. */
export class LogLostError extends Error {
  override readonly name = 'LogLostError'
}

/** The salts in the log's header, which change when the log restarts. Null without a valid header. */
export async function saltsOf(log: FileHandle): Promise<string | null> {
  const header = await readAt(log, 0, HEADER_SIZE)
  const isHeader = header.length === HEADER_SIZE && header.readUInt32BE(0) >>> 1 === MAGIC >>> 1
  return isHeader ? header.toString('hex', 16, 24) : null
}

/**
 * Yields the header and the first `frameCount` frames of the log, verified. Throws `LogLostError` if they are
 * not what was committed.
 */
export async function* checkedLog(log: FileHandle, frameCount: number): AsyncGenerator<Uint8Array> {
  const header = await readAt(log, 0, HEADER_SIZE)
  const salts = await saltsOf(log)
  if (salts === null) throw new LogLostError('the log has no beginning')
  const isLittleEndian = header.readUInt32BE(0) === MAGIC
  let checksum = addToChecksum([0, 0], header, 0, HEADER_SIZE - 8, isLittleEndian)
  if (!isEqual(checksum, checksumAt(header, HEADER_SIZE - 8)))
    throw new LogLostError('the beginning of the log is damaged')
  yield header
  const frameSize = FRAME_HEADER_SIZE + header.readUInt32BE(8)
  const framesAtOnce = Math.ceil(CHUNK_SIZE / frameSize)
  for (let framesRead = 0; framesRead < frameCount; ) {
    const chunkFrames = Math.min(framesAtOnce, frameCount - framesRead)
    const chunk = await readAt(log, HEADER_SIZE + framesRead * frameSize, chunkFrames * frameSize)
    if (chunk.length < chunkFrames * frameSize) throw new LogLostError('the log is too short')
    for (let at = 0; at < chunk.length; at += frameSize) {
      checksum = addToChecksum(checksum, chunk, at, 8, isLittleEndian)
      checksum = addToChecksum(
        checksum,
        chunk,
        at + FRAME_HEADER_SIZE,
        frameSize - FRAME_HEADER_SIZE,
        isLittleEndian,
      )
      const isIntact =
        chunk.toString('hex', at + 8, at + 16) === salts && isEqual(checksum, checksumAt(chunk, at + 16))
      if (!isIntact) throw new LogLostError('a part of the log is damaged')
    }
    yield chunk
    framesRead += chunkFrames
  }
}

function addToChecksum(
  [s0, s1]: Checksum,
  bytes: Buffer,
  from: number,
  length: number,
  isLittleEndian: boolean,
): Checksum {
  const view = new DataView(bytes.buffer, bytes.byteOffset + from, length)
  for (let at = 0; at < length; at += 8) {
    s0 = (s0 + view.getUint32(at, isLittleEndian) + s1) >>> 0
    s1 = (s1 + view.getUint32(at + 4, isLittleEndian) + s0) >>> 0
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
  let bytesFilled = 0
  while (bytesFilled < length) {
    const { bytesRead } = await log.read(bytes, bytesFilled, length - bytesFilled, position + bytesFilled)
    if (bytesRead === 0) break
    bytesFilled += bytesRead
  }
  return bytes.subarray(0, bytesFilled)
}
