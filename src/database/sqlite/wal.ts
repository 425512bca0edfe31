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

/**
 * The salts in the log's header, which change when the log restarts. Null if the file does not begin like a
 * log.
 */
export async function saltsOf(log: FileHandle): Promise<string | null> {
  const header = await readAt(log, 0, HEADER_SIZE)
  const isHeader = header.length === HEADER_SIZE && header.readUInt32BE(0) >>> 1 === MAGIC >>> 1
  return isHeader ? header.toString('hex', 16, 24) : null
}

/**
 * Yields the header and the first `frameCount` frames of the log, verified. Throws `LogLostError` if they are
 * not what was committed.
 */
export async function* readVerifiedLog(log: FileHandle, frameCount: number): AsyncGenerator<Uint8Array> {
  const header = await readAt(log, 0, HEADER_SIZE)
  const salts = await saltsOf(log)
  if (salts === null) throw new LogLostError('the log has no beginning')
  const isLittleEndian = header.readUInt32BE(0) === MAGIC
  let checksum = addToChecksum([0, 0], header, 0, HEADER_SIZE - 8, isLittleEndian)
  if (!isSameChecksum(checksum, checksumAt(header, HEADER_SIZE - 8)))
    throw new LogLostError('the beginning of the log is damaged')
  yield header
  const frameSize = FRAME_HEADER_SIZE + header.readUInt32BE(8)
  const framesPerRead = Math.ceil(CHUNK_SIZE / frameSize)
  for (let framesRead = 0; framesRead < frameCount; ) {
    const chunkFrameCount = Math.min(framesPerRead, frameCount - framesRead)
    const chunk = await readAt(log, HEADER_SIZE + framesRead * frameSize, chunkFrameCount * frameSize)
    if (chunk.length < chunkFrameCount * frameSize) throw new LogLostError('the log is too short')
    for (let offset = 0; offset < chunk.length; offset += frameSize) {
      checksum = addToChecksum(checksum, chunk, offset, 8, isLittleEndian)
      checksum = addToChecksum(
        checksum,
        chunk,
        offset + FRAME_HEADER_SIZE,
        frameSize - FRAME_HEADER_SIZE,
        isLittleEndian,
      )
      const isIntact =
        chunk.toString('hex', offset + 8, offset + 16) === salts &&
        isSameChecksum(checksum, checksumAt(chunk, offset + 16))
      if (!isIntact) throw new LogLostError('a part of the log is damaged')
    }
    yield chunk
    framesRead += chunkFrameCount
  }
}

function addToChecksum(
  [s0, s1]: Checksum,
  bytes: Buffer,
  start: number,
  length: number,
  isLittleEndian: boolean,
): Checksum {
  const view = new DataView(bytes.buffer, bytes.byteOffset + start, length)
  for (let offset = 0; offset < length; offset += 8) {
    s0 = (s0 + view.getUint32(offset, isLittleEndian) + s1) >>> 0
    s1 = (s1 + view.getUint32(offset + 4, isLittleEndian) + s0) >>> 0
  }
  return [s0, s1]
}

const checksumAt = (bytes: Buffer, offset: number): Checksum => [
  bytes.readUInt32BE(offset),
  bytes.readUInt32BE(offset + 4),
]
const isSameChecksum = (a: Checksum, b: Checksum) => a[0] === b[0] && a[1] === b[1]

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
