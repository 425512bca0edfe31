/** A picture without its metadata is assembled from ranges of the source file and a few new bytes. */
import type { ByteRange } from '../../storage/storage.ts'

/** A range of the source file, or new bytes. */
export type Piece = ByteRange | Uint8Array

/** `read` returns fewer bytes than requested at the end of the file. */
export interface Source {
  size: number
  read(at: number, length: number): Promise<Buffer>
}

/**
 * Parses a file and resolves with the pieces to keep; with null if the file is too damaged to be parsed, and
 * is therefore left unchanged.
 */
export type SelectPieces = (source: Source) => Promise<Piece[] | null>

/**
 * Maximum number of segments or chunks of a file, in a WebP also of each animation frame. It limits how long
 * a malicious file can keep the process busy.
 */
const MAX_PARTS = 50_000

/** Collects pieces; adjacent ranges are merged. */
export function createPieces() {
  const pieces: Piece[] = []
  let partCount = 0
  return {
    pieces,
    add(...more: readonly Piece[]): void {
      for (const piece of more) {
        const last = pieces.at(-1)
        const isAdjacent =
          last && !(last instanceof Uint8Array) && !(piece instanceof Uint8Array) && last.end === piece.start
        if (isAdjacent) pieces[pieces.length - 1] = { start: last.start, end: piece.end }
        else pieces.push(piece)
      }
    },
    /**
     * Counts a segment or chunk, and returns whether there are more than `MAX_PARTS`. Call it exactly once
     * for each.
     */
    hasTooManyParts: () => ++partCount > MAX_PARTS,
  }
}

/** Whether the pieces are the whole file, unchanged. */
export function isWholeFile(pieces: readonly Piece[], size: number): boolean {
  let at = 0
  for (const piece of pieces) {
    if (piece instanceof Uint8Array || piece.start !== at) return false
    at = piece.end
  }
  return at === size
}
