/**
 * Resumable uploads (tus 1.0.0). Crash points, in order: the row is written first, so bytes without a row are
 * leftovers. Bytes are flushed before the row counts them. A complete upload is stored like any other
 * (`media.ts`); the transaction that records the file also marks the upload as finished, so an upload that is
 * not marked can be finished again. The partial bytes are removed last. The sweep removes what a crash leaves
 * behind.
 */

import { type StreamHash, sha256OfStream } from '../../base/hash/sha256.ts'
import type { Delays } from '../../config/delays.ts'
import { TUS_LIFETIME, TUS_MAX_UNFINISHED, TUS_MAX_UNFINISHED_TOTAL } from '../../contract/upload/tus-wire.ts'
import type { Queries } from '../../database/database.ts'
import { Failure, failure } from '../../errors/errors.ts'
import { refuseAnnouncedLength, type SizeLimit } from '../../http/bodies/body.ts'
import { announcedDigests, type Digest } from '../../http/bodies/digests.ts'
import type { IncomingRequest } from '../../http/server/http-server.ts'
import { objectName, parseObjectName } from '../../storage/names.ts'
import { type PartialBytes, PartialLostError, type Staging } from '../../storage/storage.ts'
import type { FeatureParts } from '../feature.ts'
import type { StoredFile, TransactionHook } from '../media/store-or-replace.ts'
import { FIRST_BYTES_LENGTH, type ReceivedFile } from '../upload/receive-bytes.ts'
import { addPiece, type Piece } from './add-piece.ts'
import { announcedLength, announcedMetadata } from './headers.ts'
import { createHolds, type Hold } from './holds.ts'
import { createKeptHashes } from './kept-hashes.ts'
import * as store from './tus.store.ts'

/** An entry point decides who may upload, what is refused, and how a finished upload is stored. */
export interface EntryPoint<Caller, Plan = unknown> {
  ownerOf(caller: Caller): store.UploadOwner
  limitFor(caller: Caller): SizeLimit
  /**
   * Refuses an upload if that is possible before its bytes arrive. The plan (how to store the file) is saved
   * with the upload, as JSON. The path is null if it depends on the bytes.
   */
  admit(
    caller: Caller,
    metadata: ReadonlyMap<string, string>,
    digests: readonly Digest[],
  ): Promise<{ plan: Plan; path: string | null }>
  /** Runs in the transaction that creates the upload: rejects if a limit would be exceeded. */
  checkLimits?(tx: Queries, caller: Caller, upload: { length: number; path: string | null }): Promise<void>
  store(
    caller: Caller,
    receivedFile: ReceivedFile,
    plan: Plan,
    transactionHook: TransactionHook,
  ): Promise<StoredFile>
}

/** Number of characters of an upload's id, of 5 random bits each: nobody can guess an id of 130 bits. */
const ID_LENGTH = 26

/**
 * Used in the object name if the upload's path depends on its bytes: the store needs a name before they
 * arrive.
 */
const PLACEHOLDER_NAME = 'upload'

export type Tus = ReturnType<typeof createTus>

export type TusParts = Pick<FeatureParts, 'database' | 'storage' | 'newId' | 'now'> & {
  delays: Pick<Delays, 'uploadLockRenewal'>
}

export function createTus(parts: TusParts) {
  const { database, storage, newId, now } = parts
  const holds = createHolds(parts)
  const hashes = createKeptHashes()

  /** Rejects with 404 if there is no such upload of this caller, and with 410 if it has expired. */
  async function find<Caller>(
    entryPoint: EntryPoint<Caller>,
    caller: Caller,
    id: string,
  ): Promise<store.PartialUploadRow> {
    const row = await store.findPartialUpload(database.read, id)
    const owner = entryPoint.ownerOf(caller)
    const isOwn = (['token_id', 'account_id', 'ticket_id'] as const).every(key => row?.[key] === owner[key])
    if (!row || !isOwn) throw failure.tusAbsent()
    if (row.expires_at <= now()) throw failure.tusExpired()
    return row
  }

  /**
   * Removes the bytes, then the row: a crash in between leaves a row without bytes, which the next request
   * that adds to the upload notices and removes.
   */
  async function removeUpload(id: string): Promise<void> {
    const row = await store.findPartialUpload(database.read, id)
    hashes.drop(id)
    if (row) await storage.removePartial(id, row.finished === 0 ? row : undefined)
    await database.transaction(tx => store.deletePartialUpload(tx, id))
  }

  async function create<Caller>(entryPoint: EntryPoint<Caller>, caller: Caller, request: IncomingRequest) {
    const { headers } = request
    const length = announcedLength(headers)
    const limit = entryPoint.limitFor(caller)
    if (length > limit.bytes) throw limit.createError()
    const metadata = announcedMetadata(headers)
    const { plan, path } = await entryPoint.admit(caller, metadata.values, announcedDigests(headers))
    const owner = entryPoint.ownerOf(caller)
    const id = newId(ID_LENGTH)
    const createdAt = now()
    const row = {
      ...owner,
      id,
      length,
      path,
      metadata: metadata.text,
      plan: JSON.stringify(plan),
      object: objectName(path ?? PLACEHOLDER_NAME, newId()),
      created_at: createdAt,
      expires_at: createdAt + TUS_LIFETIME,
    }
    await database.transaction(async tx => {
      const { ownCount, totalCount } = await store.countUnfinishedUploads(tx, owner)
      if (ownCount >= TUS_MAX_UNFINISHED) throw failure.tusTooMany(TUS_MAX_UNFINISHED)
      if (totalCount >= TUS_MAX_UNFINISHED_TOTAL) throw failure.tusTooMany(TUS_MAX_UNFINISHED_TOTAL)
      await entryPoint.checkLimits?.(tx, caller, row)
      await store.insertPartialUpload(tx, row)
    })
    return id
  }

  async function finish<Caller>(
    entryPoint: EntryPoint<Caller>,
    caller: Caller,
    { hold, partialBytes, hash }: { hold: Hold; partialBytes: PartialBytes; hash: StreamHash | null },
  ): Promise<void> {
    const { row } = hold
    hold.isWorking = true
    const staging = await partialBytes.finish()
    const { size, firstBytes, sha256 } = await contentOf(staging, row.length, hash)
    const storedFile = await entryPoint.store(
      caller,
      { staging, size, firstBytes, sha256 },
      JSON.parse(row.plan),
      async (tx, path) => {
        if (!(await store.markUploadFinished(tx, row, path, now()))) throw failure.tusLocked()
      },
    )
    const isObjectUnused =
      staging.object !== undefined && parseObjectName(staging.object)?.id !== storedFile.id
    // If this fails, the sweep removes the bytes.
    await storage
      .removePartial(row.id, isObjectUnused ? { object: row.object, state: '' } : undefined)
      .catch(() => {})
  }

  async function contentOf(staging: Staging, size: number, hash: StreamHash | null) {
    const { object } = staging
    const openBody = async (range?: { start: number; end: number }) => {
      if (object === undefined)
        return Bun.file(await staging.file()).slice(range?.start ?? 0, range?.end ?? size)
      const storedObject = range ? await storage.open(object, range) : await storage.inspect(object)
      if (!storedObject) throw new PartialLostError(`${object} is gone`)
      return storedObject.body
    }
    const firstBytes = new Uint8Array(
      await new Response(await openBody({ start: 0, end: Math.min(FIRST_BYTES_LENGTH, size) })).arrayBuffer(),
    )
    const sha256 = hash ? await hash.digest() : await sha256OfStream(streamOf(await openBody()))
    return { size, firstBytes, sha256 }
  }

  /**
   * Always throws. A refusal (a `Failure` with a status below 500, except 423), or the loss of the received
   * bytes, first removes the upload. After any other error, the client can continue the upload.
   */
  async function endIfRefused(id: string, error: unknown): Promise<never> {
    if (error instanceof PartialLostError) {
      await removeUpload(id)
      throw failure.tusAbsent()
    }
    const isRefusal = error instanceof Failure && error.status < 500 && error.status !== 423
    if (isRefusal) await removeUpload(id)
    throw error
  }

  return {
    find,
    create,

    /**
     * Returns the row of the upload. While another request adds to the upload, waits for a limited time
     * first.
     */
    async readState<Caller>(entryPoint: EntryPoint<Caller>, caller: Caller, id: string) {
      return holds.waitUntilReleased(await find(entryPoint, caller, id))
    },

    /** Adds a piece, and stores the file after the last one. Returns the row of the upload. */
    async receive<Caller>(entryPoint: EntryPoint<Caller>, caller: Caller, id: string, piece: Piece) {
      const upload = await find(entryPoint, caller, id)
      const limit = entryPoint.limitFor(caller)
      if (upload.finished === 0 && upload.length > limit.bytes) throw limit.createError()
      const isNotHeld = upload.held_until <= now()
      if (isNotHeld && piece.offset !== offsetOf(upload)) throw failure.tusOffsetDiffers(offsetOf(upload))
      const remainingLimit = { bytes: upload.length - piece.offset, createError: failure.tusTooLong }
      refuseAnnouncedLength(remainingLimit, piece.request)
      await using hold = await holds.take(id)
      const { row } = hold
      const offset = offsetOf(row)
      if (piece.offset !== offset) throw failure.tusOffsetDiffers(offset)
      if (row.finished === 1) return row
      const hash = hashes.take(id, row.received)
      try {
        await using partialBytes = await storage.resumePartial(row)
        const completeUpload = await addPiece(
          { database, now, hashes },
          { hold, partialBytes, hash, piece, limit: remainingLimit },
        )
        if (completeUpload)
          await finish(entryPoint, caller, { hold, partialBytes, hash: completeUpload.hash }).catch(error =>
            endIfRefused(id, error),
          )
      } catch (error) {
        if (error instanceof PartialLostError) return await endIfRefused(id, error)
        throw error
      }
      return (await store.findPartialUpload(database.read, id)) ?? row
    },

    /** Removes the upload; if it is finished, its file is kept. */
    async remove<Caller>(entryPoint: EntryPoint<Caller>, caller: Caller, id: string) {
      await find(entryPoint, caller, id)
      await using _ = await holds.take(id)
      await removeUpload(id)
    },

    /** Removes an expired upload, unless it is being continued meanwhile. */
    async endExpired(id: string) {
      await using hold = await holds.take(id).catch(() => null)
      if (hold && hold.row.expires_at <= now()) await removeUpload(id)
    },

    stop: async () => hashes.stop(),
  }
}

/**
 * The offset to report to a client. If all bytes have arrived but the file was not stored, because of a crash
 * or an error, the client is asked to send the last byte again; then the service tries again to store the
 * file.
 */
export const offsetOf = ({ finished, received, length }: store.PartialUploadRow) =>
  finished === 1 ? length : Math.min(received, length - 1)

const streamOf = (body: Blob | ReadableStream<Uint8Array>) => (body instanceof Blob ? body.stream() : body)
