/**
 * Adds the body of one request (a piece) to an upload. Bytes that have arrived are saved even if the
 * connection breaks, unless the piece has a checksum.
 */

import type { StreamHash } from '../../base/hash/sha256.ts'
import { failure } from '../../errors/errors.ts'
import { limitedBody, type SizeLimit } from '../../http/bodies/body.ts'
import type { IncomingRequest } from '../../http/server/http-server.ts'
import type { PartialBytes } from '../../storage/storage.ts'
import type { FeatureParts } from '../feature.ts'
import type { Checksum } from './headers.ts'
import type { Hold } from './holds.ts'
import type { KeptHashes } from './kept-hashes.ts'
import { recordUploadProgress } from './tus.store.ts'

export interface Piece {
  request: IncomingRequest
  /** Position in the upload at which the client's bytes begin. */
  offset: number
  /** With a checksum, the piece is saved as a whole or not at all. */
  checksum: Checksum | null
}

interface PieceParts extends Pick<FeatureParts, 'database' | 'now'> {
  hashes: KeptHashes
}

interface AddPieceInput {
  hold: Hold
  partialBytes: PartialBytes
  /** The hash of the bytes received by earlier requests; null if this process does not have it. */
  hash: StreamHash | null
  piece: Piece
  limit: SizeLimit
}

/**
 * Returns null if bytes of the upload are still missing. Otherwise returns an object with the hash of the
 * whole upload; this `hash` is null if the process does not have it.
 */
export async function addPiece(
  { database, now, hashes }: PieceParts,
  { hold, partialBytes, hash, piece, limit }: AddPieceInput,
): Promise<{ hash: StreamHash | null } | null> {
  const { row } = hold
  const checksumHash = piece.checksum && new Bun.CryptoHasher(piece.checksum.algorithm)
  let receivedBytes = row.received
  /**
   * Number of bytes still to be skipped because they have arrived already. It starts with 0, or with 1 if all
   * bytes had arrived but the file was not stored: then the client sends the last byte again (see
   * `offsetOf`).
   */
  let bytesToSkip = row.received - piece.offset
  let savePromise: Promise<void> = Promise.resolve()
  /** Whether `hash` covers all bytes that `receivedBytes` counts. */
  let isHashed = hash !== null

  async function savePiece(isFinalSave: boolean): Promise<void> {
    const savedState = await partialBytes.save(isFinalSave)
    const isRecorded = await database.transaction(tx => recordUploadProgress(tx, row, savedState, now()))
    if (!isRecorded) throw failure.tusLocked()
    if (!isFinalSave) return
    if (hash && isHashed && savedState.received === receivedBytes && receivedBytes < row.length)
      hashes.keep(row.id, receivedBytes, hash)
    else if (receivedBytes < row.length) hash?.drop()
  }

  async function add(chunk: Uint8Array): Promise<void> {
    checksumHash?.update(chunk)
    const newBytes = chunk.subarray(Math.min(bytesToSkip, chunk.length))
    bytesToSkip -= chunk.length - newBytes.length
    const wasHashed = isHashed
    isHashed = false
    const [isSaveDue] = await Promise.all([partialBytes.write(newBytes), hash?.add(newBytes)])
    isHashed = wasHashed
    receivedBytes += newBytes.length
    if (!isSaveDue || checksumHash) return
    await savePromise
    savePromise = savePiece(false)
    savePromise.catch(() => {})
  }

  try {
    for await (const chunk of limitedBody(limit, piece.request, hold.signal)) {
      hold.noteActivity()
      hold.isWorking = true
      await add(chunk)
      hold.isWorking = false
    }
    if (hold.signal.aborted) throw failure.tusLocked()
    if (checksumHash && !checksumHash.digest().equals(piece.checksum!.digest))
      throw failure.tusChecksumDiffers()
  } catch (error) {
    hold.isWorking = true
    await savePromise
    if (checksumHash) hash?.drop()
    else await savePiece(true)
    throw error
  }
  hold.isWorking = true
  await savePromise
  await savePiece(true)
  return receivedBytes === row.length ? { hash: isHashed ? hash : null } : null
}
