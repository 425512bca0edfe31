/**
 * A picture without its metadata, as pieces: stretches of the sent file and a few bytes written anew. The
 * picture data are copied, never decoded, so not a pixel changes.
 */
import type { ByteRange } from '../../storage/storage.ts'

export type Piece = ByteRange | Uint8Array

/** A file that is read at any place; at its end fewer bytes come than were asked for. */
export interface Source {
  size: number
  read(at: number, length: number): Promise<Buffer>
}

/** The pieces of a file; null when the file is too damaged to be taken apart, and is better left as it is. */
export type TakeApart = (source: Source) => Promise<Piece[] | null>

/**
 * Segments or chunks of a file up to which it is taken apart: a larger number is no accident and would take
 * long.
 */
const PARTS_MOST = 50_000

/** Gathers pieces; stretches that follow each other become one. */
export function createPieces() {
  const pieces: Piece[] = []
  let parts = 0
  return {
    pieces,
    add(...more: readonly Piece[]): void {
      for (const piece of more) {
        const last = pieces.at(-1)
        const follows =
          last && !(last instanceof Uint8Array) && !(piece instanceof Uint8Array) && last.end === piece.start
        if (follows) pieces[pieces.length - 1] = { start: last.start, end: piece.end }
        else pieces.push(piece)
      }
    },
    /** Called for each part of the file; true when there are too many. */
    isTooMany: () => ++parts > PARTS_MOST,
  }
}

/** Whether the pieces are the whole file, unchanged. */
export function isWhole(pieces: readonly Piece[], size: number): boolean {
  let at = 0
  for (const piece of pieces) {
    if (piece instanceof Uint8Array || piece.start !== at) return false
    at = piece.end
  }
  return at === size
}
