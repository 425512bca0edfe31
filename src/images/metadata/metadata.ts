/** Removes location and camera data from JPEG, PNG and WebP as a stream, without touching the pixels. */
import { open } from 'node:fs/promises'
import { selectJpegPieces } from './jpeg.ts'
import { type FileSource, isWholeFile, type Piece, type SelectPieces } from './pieces.ts'
import { selectPngPieces } from './png.ts'
import { selectWebpPieces } from './webp.ts'

/** Number of bytes that are copied at a time. */
const COPY_CHUNK_SIZE = 256 * 1024

/**
 * Passes the file without its metadata to `write`, piece by piece. Resolves with false, without calling
 * `write`, if there is nothing to remove, the file type is not supported, or the file is too damaged. The
 * file type is determined from the content, not from the name.
 */
export async function writeWithoutMetadata(
  file: string,
  write: (bytes: Uint8Array) => Promise<void>,
): Promise<boolean> {
  await using handle = await open(file)
  const { size } = await handle.stat()
  const source: FileSource = {
    size,
    async read(offset, length) {
      const availableBytes = Math.max(0, Math.min(length, size - offset))
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(availableBytes), 0, availableBytes, offset)
      return buffer.subarray(0, bytesRead)
    },
  }
  const pieces = await chooseSelector(await source.read(0, 12))?.(source)
  if (!pieces || isWholeFile(pieces, size)) return false
  for (const piece of pieces) await copyPiece(source, piece, write)
  return true
}

function chooseSelector(header: Buffer): SelectPieces | null {
  const headerText = header.toString('latin1')
  if (headerText.startsWith('\xff\xd8\xff')) return selectJpegPieces
  if (headerText.startsWith('\x89PNG\r\n\x1a\n')) return selectPngPieces
  return headerText.startsWith('RIFF') && headerText.endsWith('WEBP') ? selectWebpPieces : null
}

async function copyPiece(source: FileSource, piece: Piece, write: (bytes: Uint8Array) => Promise<void>) {
  if (piece instanceof Uint8Array) return write(piece)
  for (let offset = piece.start; offset < piece.end; offset += COPY_CHUNK_SIZE) {
    await write(await source.read(offset, Math.min(COPY_CHUNK_SIZE, piece.end - offset)))
  }
}
