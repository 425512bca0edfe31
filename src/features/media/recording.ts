/** What an upload changes in the database, in one transaction: row, quota, history, trash, discard list. */

import type { Occurrence } from '../../contract/files/history.ts'
import { kindOf } from '../../contract/paths/kinds.ts'
import type { Queries } from '../../database/database.ts'
import { together } from '../../database/together.ts'
import { failure } from '../../errors/errors.ts'
import { type Actor, tokenOf } from '../../http/access/actor.ts'
import { isTooOldToRecord } from '../../storage/object-age.ts'
import type { Staging } from '../../storage/storage.ts'
import type { FeatureParts } from '../feature.ts'
import { recordHistory } from '../history/history.store.ts'
import type { Discards } from './discards.ts'
import { checkedRow } from './file-row.ts'
import { discardObjects, findByPath, type MediaRow, objectsOf, placedAfter, putRow } from './media.store.ts'
import { checkQuota, gainOf, heldBy, type QuotaUsage } from './quota.ts'
import { enterTrash } from './trash-entries.ts'
import { addUploadId, carryUploadIds, dropUploadIds, isUploadId } from './upload-ids.store.ts'

export interface FileToStore {
  path: string
  staging: Staging
  size: number
  sha256: string
  mime: string
  /** The uploader. If it is a token, the file also counts towards the files and the quota of the token. */
  by: Actor
  /**
   * Whether an existing file at the path is overwritten. `equal`: only by the same bytes; if the media type
   * is the same too, the file is kept and gets the id of this upload as a further one.
   */
  overwrite: boolean | 'equal'
  /** Additional text for the history. */
  details?: string
  /** The id under which the history groups several uploads. */
  action?: string
  /**
   * Called in the transaction that records the file, before the upload can be refused there. Throws if the
   * uploader may store no further file.
   */
  inTransaction?: InTransaction
}

export type InTransaction = (tx: Queries, path: string) => Promise<void>

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
  stored: StoredFile
  /** Whether the upload became one more id of a file with the same bytes, whose object is kept. */
  joined: boolean
  /** Whether the content that was replaced is in the trash now. */
  kept: boolean
}

export interface RecordingParts extends Pick<FeatureParts, 'database' | 'now' | 'settings'> {
  discards: Pick<Discards, 'dueAt'>
  /** Milliseconds after which the row may no longer be written; only tests change it. */
  recordWithin?: number
  /** Whether anything can be derived from this type. */
  derivable: (mime: string) => boolean
  /** Called for each upload with a token, in the transaction that records it. */
  onTokenUpload?: (tx: Queries, upload: { path: string; size: number; sender: string }) => Promise<void>
}
type ChangeParts = Pick<RecordingParts, 'now' | 'onTokenUpload'>

/** Makes the change and adds its history entry and messages. */
async function recordChange<T>(
  { now, onTokenUpload }: ChangeParts,
  tx: Queries,
  file: FileToStore,
  what: Occurrence,
  change: (at: number) => Promise<T>,
): Promise<T> {
  const { path, size, by, details, action } = file
  const at = now()
  const token = tokenOf(by)
  const entry = { what, path, bytes: size, ...(details !== undefined && { details }) }
  const [changed] = await together(
    change(at),
    recordHistory(tx, by, at, [entry], action),
    token && onTokenUpload?.(tx, { path, size, sender: token.name }),
  )
  return changed
}

/** Runs the uploader's own part of the transaction, which may change what its token holds. */
async function heldAfterOwnPart(tx: Queries, file: FileToStore, before: QuotaUsage): Promise<QuotaUsage> {
  if (!file.inTransaction) return before
  await file.inTransaction(tx, file.path)
  return heldBy(tx, tokenOf(file.by))
}

/**
 * Adds an upload to a file with the same bytes: the file now belongs to this uploader and gets one more id.
 * Its address does not change, and caches stay valid.
 */
export async function joinUpload(
  parts: ChangeParts,
  tx: Queries,
  file: FileToStore,
  row: MediaRow,
  id: string,
): Promise<RecordedUpload> {
  const token = tokenOf(file.by)
  const token_id = token?.id ?? null
  const [recorded, heldBefore] = await together(isUploadId(tx, id), heldBy(tx, token))
  if (recorded) return { joined: true, kept: false, stored: storedAs(row, id) }
  const held = await heldAfterOwnPart(tx, file, heldBefore)
  checkQuota(token, held, gainOf(token, file, row))
  await recordChange(parts, tx, file, 'ueberschrieben', updated_at =>
    together(
      tx.updateTable('media').set({ token_id, updated_at }).where('nr', '=', row.nr).execute(),
      addUploadId(tx, row.id, id),
    ),
  )
  return { joined: true, kept: false, stored: storedAs(row, id) }
}

interface UploadToRecord {
  file: FileToStore
  id: string
  object: string
  /** Unix milliseconds just before the object was written. */
  writtenAt: number
  unusable?: string | undefined
}

/**
 * Writes the row of a committed object. If somebody else has stored the same bytes at this path meanwhile,
 * the upload is added to that file instead (`joinUpload`). `unusable` is the content id of an earlier file
 * whose object is damaged: the same bytes then replace that content.
 *
 * Recording the same id twice has no effect. Otherwise a retry after a lost COMMIT answer would mistake its
 * own row for an earlier file and discard its own object.
 */
export function recordUpload(
  parts: RecordingParts,
  { file, id, object, writtenAt, unusable }: UploadToRecord,
): Promise<RecordedUpload> {
  const { database, derivable, now, recordWithin } = parts
  const { path, size, sha256, mime } = file
  const token = tokenOf(file.by)
  return database.transaction(async tx => {
    const [earlier, heldBefore] = await together(findByPath(tx, path), heldBy(tx, token))
    if (earlier?.id === id) return { joined: false, kept: false, stored: storedAs(earlier, id) }
    const joins = earlier && earlier.id !== unusable && isSame(file, earlier)
    const held = joins ? heldBefore : await heldAfterOwnPart(tx, file, heldBefore)
    if (isTooOldToRecord(writtenAt, now(), recordWithin)) throw failure.recordedTooLate()
    if (earlier && !mayReplace(file, earlier.sha256)) throw failure.pathTaken(path)
    if (joins) return joinUpload(parts, tx, file, earlier, id)
    checkQuota(token, held, gainOf(token, file, earlier))
    const kept = earlier !== null && earlier.sha256 !== sha256 && keepsReplaced(parts, file.by)
    const [nr] = await recordChange(parts, tx, file, earlier ? 'ueberschrieben' : 'hochgeladen', async at => {
      const row = {
        ...{ id, path, object, size, sha256, mime, kind: kindOf(mime) },
        derived: derivable(mime) ? ('pending' as const) : ('done' as const),
        token_id: token?.id ?? null,
        created_at: earlier?.created_at ?? at,
        updated_at: at,
        placed_at: earlier ? placedAfter(earlier, at) : null,
      }
      return together(
        putRow(tx, checkedRow(row), earlier),
        earlier && (kept ? keep(tx, earlier, file.by, at) : letGo(parts, tx, file, earlier, id)),
      )
    })
    return { joined: false, kept, stored: { nr, id, path, size, sha256, mime, replaced: earlier !== null } }
  })
}

/** Another media type is another answer for readers, so it is not equal. */
export function isSame({ overwrite, sha256, mime }: FileToStore, row: MediaRow): boolean {
  return overwrite === 'equal' && row.sha256 === sha256 && row.mime === mime
}

/** The answer for the upload with this id. */
const storedAs = (
  { nr, path, size, sha256, mime, created_at, updated_at, ...row }: MediaRow,
  id: string,
) => ({
  ...{ nr, id, path, size, sha256, mime },
  replaced: row.id !== id || created_at !== updated_at,
})

function mayReplace({ overwrite, sha256 }: FileToStore, earlierSha256: string): boolean {
  return overwrite === 'equal' ? sha256 === earlierSha256 : overwrite
}

/**
 * Whether the file that this actor replaces goes to the trash. This depends on its token, otherwise on the
 * setting.
 */
function keepsReplaced({ settings }: Pick<RecordingParts, 'settings'>, by: Actor): boolean {
  const { UEBERSCHRIEBENE: whose } = settings.current()
  const token = tokenOf(by)
  return token ? (token.keepReplaced ?? whose === 'alle') : whose !== 'nie'
}

/**
 * Moves the replaced content to the trash with its ids, by which nothing is found there. The row number, and
 * so the retrievals, stay with the path.
 */
const keep = (tx: Queries, earlier: MediaRow, by: Actor, at: number) =>
  enterTrash(tx, [{ ...earlier, media_nr: null }], { by, at, reason: 'ueberschrieben' })

/**
 * Discards the replaced content, and drops its ids. With `equal` the bytes are the same, so the ids are
 * carried over to the new content.
 */
async function letGo(
  { discards }: Pick<RecordingParts, 'discards'>,
  tx: Queries,
  file: FileToStore,
  earlier: MediaRow,
  id: string,
) {
  await together(
    discardObjects(tx, objectsOf(earlier), discards.dueAt()),
    file.overwrite === 'equal' ? carryUploadIds(tx, earlier.id, id) : dropUploadIds(tx, [earlier.id]),
  )
}
