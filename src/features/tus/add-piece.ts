/**
 * Adds the body of one request to an upload. Bytes that have arrived are saved even if the connection breaks.
 */

import type { StreamHash } from '../../base/hash/sha256.ts'
import { failure } from '../../errors/errors.ts'
import { bodyWithin, type SizeLimit } from '../../http/bodies/body.ts'
import type { IncomingRequest } from '../../http/server/http-server.ts'
import type { PartialBytes } from '../../storage/storage.ts'
import type { FeatureParts } from '../feature.ts'
import type { Checksum } from './headers.ts'
import type { Hold } from './holds.ts'
import type { KeptHashes } from './kept-hashes.ts'
import { recordReceived } from './tus.store.ts'

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

interface Adding {
  hold: Hold
  bytes: PartialBytes
  /** The hash of the bytes received before; null if this process does not have it. */
  hash: StreamHash | null
  piece: Piece
  limit: SizeLimit
}

/** Returns null while bytes are missing; otherwise the hash of the whole upload, if this process has it. */
export async function addPiece(
  { database, now, hashes }: PieceParts,
  { hold, bytes, hash, piece, limit }: Adding,
): Promise<{ hash: StreamHash | null } | null> {
  const { row } = hold
  const sum = piece.checksum && new Bun.CryptoHasher(piece.checksum.algorithm)
  let received = row.received
  /** Number of bytes that the client sends again (see `offsetOf`), which are skipped. */
  let known = row.received - piece.offset
  let saving: Promise<void> = Promise.resolve()
  /** Whether `hash` covers all `received` bytes. */
  let isHashed = hash !== null

  async function save(all: boolean): Promise<void> {
    const saved = await bytes.save(all)
    const isRecorded = await database.transaction(tx => recordReceived(tx, row, saved, now()))
    if (!isRecorded) throw failure.tusLocked()
    if (!all) return
    if (hash && isHashed && saved.received === received && received < row.length)
      hashes.keep(row.id, received, hash)
    else if (received < row.length) hash?.drop()
  }

  async function add(chunk: Uint8Array): Promise<void> {
    sum?.update(chunk)
    const fresh = chunk.subarray(Math.min(known, chunk.length))
    known -= chunk.length - fresh.length
    const wasHashed = isHashed
    isHashed = false
    const [isDue] = await Promise.all([bytes.write(fresh), hash?.add(fresh)])
    isHashed = wasHashed
    received += fresh.length
    if (!isDue || sum) return
    await saving
    saving = save(false)
    saving.catch(() => {})
  }

  try {
    for await (const chunk of bodyWithin(limit, piece.request, hold.signal)) {
      hold.heard()
      hold.isWorking = true
      await add(chunk)
      hold.isWorking = false
    }
    if (hold.signal.aborted) throw failure.tusLocked()
    if (sum && !sum.digest().equals(piece.checksum!.digest)) throw failure.tusChecksumDiffers()
  } catch (error) {
    hold.isWorking = true
    await saving
    if (sum) hash?.drop()
    else await save(true)
    throw error
  }
  hold.isWorking = true
  await saving
  await save(true)
  return received === row.length ? { hash: isHashed ? hash : null } : null
}
