/** A picture without its metadata is assembled from ranges of the source file and a few new bytes. */
import type { ByteRange } from '../../storage/storage.ts'

/** A range of the source file, or new bytes. */
export type Piece = ByteRange | Uint8Array

/** `read` returns fewer bytes than requested at the end of the file. */
export interface FileSource {
  size: number
  read(offset: number, length: number): Promise<Buffer>
}

/**
 * Parses a file and resolves with the pieces to keep; with null if the file is too damaged to be parsed, and
 * is therefore left unchanged.
 */
export type SelectPieces = (source: FileSource) => Promise<Piece[] | null>

/**
 * Maximum number of segments or chunks of a file, in a WebP also of each animation frame. It limits how long
 * a malicious file can keep the process busy.
 */
const MAX_PARTS = 50_000

/** Collects pieces; adjacent ranges are merged. */
export function createPieceList() {
  const pieces: Piece[] = []
  let partCount = 0
  return {
    pieces,
    add(...newPieces: readonly Piece[]): void {
      for (const piece of newPieces) {
        const lastPiece = pieces.at(-1)
        const isAdjacent =
          lastPiece &&
          !(lastPiece instanceof Uint8Array) &&
          !(piece instanceof Uint8Array) &&
          lastPiece.end === piece.start
        if (isAdjacent) pieces[pieces.length - 1] = { start: lastPiece.start, end: piece.end }
        else pieces.push(piece)
      }
    },
    /**
     * Counts a segment or chunk, and returns whether there are more than `MAX_PARTS`. Call it exactly once
     * for each.
     */
    countPartAndCheckLimit: () => ++partCount > MAX_PARTS,
  }
}

/** Whether the pieces are the whole file, unchanged. */
export function isWholeFile(pieces: readonly Piece[], size: number): boolean {
  let offset = 0
  for (const piece of pieces) {
    if (piece instanceof Uint8Array || piece.start !== offset) return false
    offset = piece.end
  }
  return offset === size
}
