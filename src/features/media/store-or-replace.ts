/**
 * Stores an upload at its path, or replaces the file there, in one transaction: row, upload ids, history,
 * trash, discard list. Checks the quota.
 */

import type { Occurrence } from '../../contract/files/history.ts'
import { kindOf } from '../../contract/paths/kinds.ts'
import { awaitAll } from '../../database/await-all.ts'
import type { Queries } from '../../database/database.ts'
import { failure } from '../../errors/errors.ts'
import { type Actor, tokenOf } from '../../http/access/actor.ts'
import { isTooOldToRecord } from '../../storage/object-age.ts'
import type { Staging } from '../../storage/storage.ts'
import type { FeatureParts } from '../feature.ts'
import { recordHistory } from '../history/history.store.ts'
import { validateRow } from './check-file-row.ts'
import type { Discards } from './discards.ts'
import {
  discardObjects,
  findByPath,
  type MediaRow,
  nextPlacementTime,
  objectsOf,
  putRow,
} from './media.store.ts'
import { addedBytesOf, checkQuota, type QuotaUsage, quotaUsageOf } from './quota.ts'
import { addTrashEntries } from './trash-entries.ts'
import { addUploadId, dropUploadIds, isUploadIdRecorded, moveUploadIds } from './upload-ids.store.ts'

export interface FileToStore {
  path: string
  staging: Staging
  size: number
  sha256: string
  mime: string
  /** The uploader. If it is a token, the file also counts towards the files and the quota of the token. */
  actor: Actor
  /**
   * Whether an existing file at the path is overwritten. `equal`: only by the same bytes. If the media type
   * is the same too and the object is intact, the existing file is kept, and the id of this upload is added
   * to its ids.
   */
  overwrite: boolean | 'equal'
  /** Additional text for the history. */
  details?: string
  /** The id under which the history groups several uploads. */
  action?: string
  /**
   * Called in the transaction that records the file, before the upload can be refused for a taken path or the
   * quota. Throws if the uploader may store no further file.
   */
  transactionHook?: TransactionHook
}

export type TransactionHook = (tx: Queries, path: string) => Promise<void>

export interface StoredFile {
  nr: number
  /** The upload's id: the file's own, or one more id of a file with the same bytes. */
  id: string
  path: string
  size: number
  sha256: string
  mime: string
  replaced: boolean
}

export interface RecordedUpload {
  storedFile: StoredFile
  /** Whether the upload became one more id of a file with the same bytes, whose object is kept. */
  isJoined: boolean
  /** Whether the content that was replaced is in the trash now. */
  isReplacedInTrash: boolean
}

export interface RecordingParts extends Pick<FeatureParts, 'database' | 'now' | 'settings'> {
  discards: Pick<Discards, 'dueAt'>
  /**
   * Maximum milliseconds between the writing of the object and the writing of its row; only tests change it.
   */
  recordTimeLimit?: number
  /** Whether any derived file can be made from this media type. */
  isDerivable: (mime: string) => boolean
  /** Called for each upload, in the transaction that records it. */
  onUpload?: (tx: Queries, upload: Pick<FileToStore, 'path' | 'size' | 'actor'>) => Promise<void>
}
type ChangeParts = Pick<RecordingParts, 'now' | 'onUpload'>

/** Makes the change, adds its history entry, and reports the upload (`onUpload`). */
async function recordChange<T>(
  { now, onUpload }: ChangeParts,
  tx: Queries,
  file: FileToStore,
  occurrence: Occurrence,
  applyChange: (changedAt: number) => Promise<T>,
): Promise<T> {
  const { path, size, actor, details, action } = file
  const changedAt = now()
  const entry = { what: occurrence, path, bytes: size, ...(details !== undefined && { details }) }
  const [changeResult] = await awaitAll(
    applyChange(changedAt),
    recordHistory(tx, actor, changedAt, [entry], action),
    onUpload?.(tx, { path, size, actor }),
  )
  return changeResult
}

/**
 * Runs the `transactionHook` of the file, if any. Returns the bytes that count towards the quota of the token
 * after that, since the hook may change them.
 */
async function runTransactionHook(
  tx: Queries,
  file: FileToStore,
  heldBytesBefore: QuotaUsage,
): Promise<QuotaUsage> {
  if (!file.transactionHook) return heldBytesBefore
  await file.transactionHook(tx, file.path)
  return quotaUsageOf(tx, tokenOf(file.actor))
}

/**
 * Adds an upload to a file with the same bytes: the file then belongs to this uploader and has one more id.
 * Its address does not change, and caches stay valid. Changes nothing if the id of the upload is recorded
 * already.
 */
export async function joinUpload(
  parts: ChangeParts,
  tx: Queries,
  file: FileToStore,
  row: MediaRow,
  id: string,
): Promise<RecordedUpload> {
  const token = tokenOf(file.actor)
  const token_id = token?.id ?? null
  const [isRecorded, heldBytesBefore] = await awaitAll(isUploadIdRecorded(tx, id), quotaUsageOf(tx, token))
  if (isRecorded) return { isJoined: true, isReplacedInTrash: false, storedFile: storedFileOf(row, id) }
  const heldBytes = await runTransactionHook(tx, file, heldBytesBefore)
  checkQuota(token, heldBytes, addedBytesOf(token, file, row))
  await recordChange(parts, tx, file, 'ueberschrieben', updated_at =>
    awaitAll(
      tx.updateTable('media').set({ token_id, updated_at }).where('nr', '=', row.nr).execute(),
      addUploadId(tx, row.id, id),
    ),
  )
  return { isJoined: true, isReplacedInTrash: false, storedFile: storedFileOf(row, id) }
}

interface UploadToRecord {
  file: FileToStore
  id: string
  object: string
  /** Unix milliseconds just before the object was written. */
  writtenAt: number
  damagedContentId?: string | undefined
}

/**
 * Writes the row of a committed object. If a file with equal content (`isEqualContent`) is at the path by
 * now, the upload is added to that file instead (`joinUpload`). `damagedContentId` is the id of a content
 * whose object is damaged: that content is replaced even by the same bytes.
 *
 * Recording the same id twice has no effect. Otherwise a retry after a lost COMMIT answer would mistake its
 * own row for an earlier file and discard its own object.
 */
export function recordUpload(
  parts: RecordingParts,
  { file, id, object, writtenAt, damagedContentId }: UploadToRecord,
): Promise<RecordedUpload> {
  const { database, isDerivable, now, recordTimeLimit } = parts
  const { path, size, sha256, mime } = file
  const token = tokenOf(file.actor)
  return database.transaction(async tx => {
    const [earlierRow, heldBytesBefore] = await awaitAll(findByPath(tx, path), quotaUsageOf(tx, token))
    if (earlierRow?.id === id)
      return { isJoined: false, isReplacedInTrash: false, storedFile: storedFileOf(earlierRow, id) }
    const isJoining = earlierRow && earlierRow.id !== damagedContentId && isEqualContent(file, earlierRow)
    const heldBytes = isJoining ? heldBytesBefore : await runTransactionHook(tx, file, heldBytesBefore)
    if (isTooOldToRecord(writtenAt, now(), recordTimeLimit)) throw failure.recordedTooLate()
    if (earlierRow && !mayReplace(file, earlierRow.sha256)) throw failure.pathTaken(path)
    if (isJoining) return joinUpload(parts, tx, file, earlierRow, id)
    checkQuota(token, heldBytes, addedBytesOf(token, file, earlierRow))
    const isReplacedInTrash =
      earlierRow !== null && earlierRow.sha256 !== sha256 && keepsReplacedContent(parts, file.actor)
    const [nr] = await recordChange(
      parts,
      tx,
      file,
      earlierRow ? 'ueberschrieben' : 'hochgeladen',
      async changedAt => {
        const row = {
          id,
          path,
          object,
          size,
          sha256,
          mime,
          kind: kindOf(mime),
          derived: isDerivable(mime) ? ('pending' as const) : ('done' as const),
          token_id: token?.id ?? null,
          created_at: earlierRow?.created_at ?? changedAt,
          updated_at: changedAt,
          placed_at: earlierRow ? nextPlacementTime(earlierRow, changedAt) : null,
        }
        return awaitAll(
          putRow(tx, validateRow(row), earlierRow),
          earlierRow &&
            (isReplacedInTrash
              ? trashReplacedContent(tx, earlierRow, file.actor, changedAt)
              : discardReplacedContent(parts, tx, file, earlierRow, id)),
        )
      },
    )
    return {
      isJoined: false,
      isReplacedInTrash,
      storedFile: { nr, id, path, size, sha256, mime, replaced: earlierRow !== null },
    }
  })
}

/**
 * Whether the upload may be added to the file instead of replacing it: `overwrite` is `equal`, and the bytes
 * and the media type are the same. With another media type, readers would get another answer.
 */
export function isEqualContent({ overwrite, sha256, mime }: FileToStore, row: MediaRow): boolean {
  return overwrite === 'equal' && row.sha256 === sha256 && row.mime === mime
}

/** The answer for the upload with this id. */
const storedFileOf = (
  { nr, path, size, sha256, mime, created_at, updated_at, ...row }: MediaRow,
  id: string,
) => ({
  nr,
  id,
  path,
  size,
  sha256,
  mime,
  replaced: row.id !== id || created_at !== updated_at,
})

function mayReplace({ overwrite, sha256 }: FileToStore, earlierSha256: string): boolean {
  return overwrite === 'equal' ? sha256 === earlierSha256 : overwrite
}

/**
 * Whether the content that this actor replaces goes to the trash. For a token, its own setting takes
 * precedence. Otherwise the setting `UEBERSCHRIEBENE` decides: `alle` always keeps the content, `dashboard`
 * keeps it unless a token replaces it, and `nie` never keeps it.
 */
function keepsReplacedContent({ settings }: Pick<RecordingParts, 'settings'>, actor: Actor): boolean {
  const { UEBERSCHRIEBENE: keptReplacements } = settings.current()
  const token = tokenOf(actor)
  return token ? (token.keepReplaced ?? keptReplacements === 'alle') : keptReplacements !== 'nie'
}

/**
 * Moves the replaced content to the trash. It keeps its upload ids, but no file is found by these ids while
 * the content is in the trash. The row number, and so the retrievals, stay with the path.
 */
const trashReplacedContent = (tx: Queries, earlierRow: MediaRow, actor: Actor, removedAt: number) =>
  addTrashEntries(tx, [{ ...earlierRow, media_nr: null }], {
    actor,
    deletedAt: removedAt,
    reason: 'ueberschrieben',
  })

/**
 * Discards the objects of the replaced content, and drops its upload ids. If `overwrite` is `equal`, the
 * bytes are the same, and the upload ids move to the new content instead.
 */
async function discardReplacedContent(
  { discards }: Pick<RecordingParts, 'discards'>,
  tx: Queries,
  file: FileToStore,
  earlierRow: MediaRow,
  id: string,
) {
  await awaitAll(
    discardObjects(tx, objectsOf(earlierRow), discards.dueAt()),
    file.overwrite === 'equal' ? moveUploadIds(tx, earlierRow.id, id) : dropUploadIds(tx, [earlierRow.id]),
  )
}
