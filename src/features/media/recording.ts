/**
 * What an upload changes in the database: the row, the quota, the history, the discard list, in one
 * transaction.
 */

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
import { sound } from './file-row.ts'
import { discardObjects, findByPath, type MediaRow, objectsOf, placedAfter, putRow } from './media.store.ts'
import { checkQuota, gainOf, heldBy } from './quota.ts'
import { addUploadId, carryUploadIds, dropUploadIds, isUploadId } from './upload-ids.store.ts'

export interface FileToStore {
  path: string
  staging: Staging
  size: number
  sha256: string
  mime: string
  /** Who stores the file. For a token, the file also counts towards the files and the quota of the token. */
  by: Actor
  /**
   * Whether a taken path is overwritten. `equal`: equal bytes give the file one more id, others are refused.
   */
  overwrite: boolean | 'equal'
  /** A further text for the entry in the history. */
  details?: string
  /** The id under which the history keeps several uploads together. */
  action?: string
}

export interface StoredFile {
  nr: number
  /** The id of this upload: the file's own id, or one more id of a file that had the same bytes already. */
  id: string
  path: string
  size: number
  sha256: string
  mime: string
  replaced: boolean
}

export interface Recorded {
  stored: StoredFile
  /** The upload has become one more id of a file with the same bytes, whose object stays. */
  joined: boolean
}

export interface RecordingParts extends Pick<FeatureParts, 'database' | 'now'> {
  discards: Pick<Discards, 'dueAt'>
  /** Milliseconds after which the row of an object may no longer be written; only tests change it. */
  recordWithin?: number
  /** Whether anything can be made from a file of this type. */
  derivable: (mime: string) => boolean
  /** Called for each upload with a token, in the transaction that records the upload. */
  onTokenUpload?: (tx: Queries, upload: { path: string; size: number; sender: string }) => Promise<void>
}
type ChangeParts = Pick<RecordingParts, 'now' | 'onTokenUpload'>

/** Makes the change, and tells of it in the history and in messages. */
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

/**
 * Joins an upload to a file that has the same bytes already: the file now belongs to this uploader and gets
 * one more id. The address stays, and caches stay valid.
 */
export async function joinUpload(
  parts: ChangeParts,
  tx: Queries,
  file: FileToStore,
  row: MediaRow,
  id: string,
): Promise<Recorded> {
  const token = tokenOf(file.by)
  const token_id = token?.id ?? null
  const [recorded, held] = await together(isUploadId(tx, id), heldBy(tx, token))
  if (recorded) return { joined: true, stored: storedAs(row, id) }
  checkQuota(token, held, gainOf(token, file, row))
  await recordChange(parts, tx, file, 'ueberschrieben', updated_at =>
    together(
      tx.updateTable('media').set({ token_id, updated_at }).where('nr', '=', row.nr).execute(),
      addUploadId(tx, row.id, id),
    ),
  )
  return { joined: true, stored: storedAs(row, id) }
}

interface UploadToRecord {
  file: FileToStore
  id: string
  object: string
  /** When the object was about to be written. */
  writtenAt: number
  unusable?: string | undefined
}

/**
 * Writes the row of a committed object. `unusable` is the id of an earlier content whose object is not whole:
 * the same bytes replace this content instead of joining it. The upload joins another file when somebody else
 * has stored the same bytes at this path meanwhile.
 *
 * Recording the same id again changes nothing. Otherwise a second call, after a first one whose commit was
 * not answered, would take the row of the first for an earlier content, and let its own object go.
 */
export function recordUpload(
  parts: RecordingParts,
  { file, id, object, writtenAt, unusable }: UploadToRecord,
): Promise<Recorded> {
  const { database, discards, derivable, now, recordWithin } = parts
  const { path, size, sha256, mime } = file
  const token = tokenOf(file.by)
  return database.transaction(async tx => {
    const [earlier, held] = await together(findByPath(tx, path), heldBy(tx, token))
    if (earlier?.id === id) return { joined: false, stored: storedAs(earlier, id) }
    if (isTooOldToRecord(writtenAt, now(), recordWithin)) throw failure.recordedTooLate()
    if (earlier && !mayReplace(file, earlier.sha256)) throw failure.pathTaken(path)
    if (earlier && earlier.id !== unusable && isSame(file, earlier))
      return joinUpload(parts, tx, file, earlier, id)
    checkQuota(token, held, gainOf(token, file, earlier))
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
        putRow(tx, sound(row), earlier),
        earlier && letGo(tx, file, earlier, id, discards.dueAt()),
      )
    })
    return { joined: false, stored: { nr, id, path, size, sha256, mime, replaced: earlier !== null } }
  })
}

/**
 * Whether the upload equals the stored file. Another type gives readers another answer, so it is not equal.
 */
export function isSame({ overwrite, sha256, mime }: FileToStore, row: MediaRow): boolean {
  return overwrite === 'equal' && row.sha256 === sha256 && row.mime === mime
}

/** The file of this row, as it is answered for the upload with this id. */
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
 * Lets the replaced content go, and drops its ids. With `equal` the new file has the same bytes, which the
 * holders of the ids were answered with: then the ids are carried over to the new content.
 */
async function letGo(tx: Queries, file: FileToStore, earlier: MediaRow, id: string, dueAt: number) {
  await together(
    discardObjects(tx, objectsOf(earlier), dueAt),
    file.overwrite === 'equal' ? carryUploadIds(tx, earlier.id, id) : dropUploadIds(tx, [earlier.id]),
  )
}
