/**
 * The life of a media file: stored, replaced, deleted. Bytes first, row second, answer last.
 *
 * Crash points of `store`: a crash before `commit` leaves only staged bytes; a crash after `commit` leaves an object
 * that no row names. The sweep finds both. The transaction is all or nothing, and the objects that it lets go are put
 * on the discard list in that same transaction.
 */
import { type Actor, tokenOf } from '../../access/actor.ts'
import type { Occurrence } from '../../contract/history.ts'
import { kindOf } from '../../contract/kinds.ts'
import type { Queries } from '../../database/database.ts'
import { together } from '../../database/together.ts'
import { Failure, failure } from '../../errors.ts'
import type { FeatureParts } from '../../feature.ts'
import { objectName } from '../../storage/names.ts'
import type { Staging } from '../../storage/storage.ts'
import { recordHistory } from '../history/history.store.ts'
import { forgetFileDays } from '../retrievals/file-days.store.ts'
import type { Discards } from './discards.ts'
import { sound } from './file-row.ts'
import { deleteRows, discardObjects, findByPath, type MediaRow, objectsOf, putRow } from './media.store.ts'
import { bytesHeld, checkQuota, gainOf } from './quota.ts'
import {
  addUploadId,
  carryUploadIds,
  dropUploadIds,
  findByUploadId,
  isUploadId,
  takeUploadId,
} from './upload-ids.store.ts'

export interface FileToStore {
  path: string
  staging: Staging
  size: number
  sha256: string
  mime: string
  /** Who stores the file. For a token, the file also counts towards the files and the quota of the token. */
  by: Actor
  /** Whether a taken path is overwritten. `equal`: equal bytes give the file one more id, others are refused. */
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

interface Recorded {
  stored: StoredFile
  /** The upload has become one more id of a file with the same bytes, whose object stays. */
  joined: boolean
}

export interface Media {
  /** Rejects with 409 when the path is taken and may not be overwritten. The caller discards the staged bytes. */
  store(file: FileToStore): Promise<StoredFile>
  /** Removes a file for good, with its derived files and all its ids. False when there is no such file. */
  remove(path: string, by: Actor): Promise<boolean>
  /**
   * Takes the id of an upload away. The file is removed with its last id, as by `remove`. False when no file in the
   * library has this id. `check` throws when the file at this path must not be touched.
   */
  removeId(id: string, by: Actor, check: (path: string) => void): Promise<boolean>
}

export interface MediaParts extends Pick<FeatureParts, 'database' | 'storage' | 'newId' | 'now'> {
  discards: Discards
  /** Whether anything can be made from a file of this type. */
  derivable: (mime: string) => boolean
  /** Called for each new content from which something can be made, after its row is written. */
  onStored: (nr: number, tokenId: string | null) => void
  /** Called for each upload with a token, in the transaction that records the upload. */
  onTokenUpload?: (tx: Queries, upload: { path: string; size: number; sender: string }) => Promise<void>
}

export function createMedia(parts: MediaParts): Media {
  const { database, storage, discards, newId } = parts
  const { record, join } = createRecording(parts)

  /** The content at this path if it has the same bytes, and whether its object has the length that the row says. */
  async function findTwin(file: FileToStore): Promise<{ id: string; whole: boolean } | null> {
    const row = file.overwrite === 'equal' ? await findByPath(database.read, file.path) : null
    if (!row || !isSame(file, row)) return null
    return { id: row.id, whole: (await storage.measure(row.object)) === row.size }
  }

  /** Joins the upload to the content with the id `twin`; null when the path no longer has this content. */
  function joinTwin(file: FileToStore, twin: string, id: string): Promise<Recorded | null> {
    return database.transaction(async tx => {
      const row = await findByPath(tx, file.path)
      return row?.id === twin ? join(tx, file, row, id) : null
    })
  }

  return {
    async store(file) {
      const id = newId()
      const twin = await findTwin(file)
      const joined = twin?.whole ? await joinTwin(file, twin.id, id) : null
      if (joined) return joined.stored
      const object = objectName(file.path, id)
      await storage.commit(file.staging, object, file)
      try {
        const recorded = await record(file, id, object, twin && !twin.whole ? twin.id : undefined)
        const { stored } = recorded
        // The upload joined another file. The new object never stood in a row, so nobody reads it and no backup counts
        // on it: it is removed at once. If that fails, the sweep removes it.
        if (recorded.joined) await storage.remove(object).catch(() => {})
        else {
          if (stored.replaced) discards.kick()
          if (parts.derivable(file.mime)) parts.onStored(stored.nr, tokenOf(file.by)?.id ?? null)
        }
        return stored
      } catch (error) {
        // A `Failure` is our own refusal, which rolled the transaction back for certain. After any other error the row
        // may have been written (a connection lost while committing), so the object stays and the sweep decides.
        // Should removing fail, the sweep removes the object, and the caller still learns why the upload was refused.
        if (error instanceof Failure) await storage.remove(object).catch(() => {})
        throw error
      }
    },
    ...createRemoval(parts),
  }
}

function createRemoval({ database, discards, now }: MediaParts): Pick<Media, 'remove' | 'removeId'> {
  async function remove(tx: Queries, row: MediaRow, by: Actor): Promise<void> {
    await together(
      deleteRows(tx, [row]),
      forgetFileDays(tx, [row.nr]),
      discardObjects(tx, objectsOf(row), discards.dueAt()),
      dropUploadIds(tx, [row.id]),
      recordHistory(tx, by, now(), [{ what: 'entfernt', path: row.path, bytes: row.size }]),
    )
  }

  async function removing(work: (tx: Queries) => Promise<boolean>): Promise<boolean> {
    const removed = await database.transaction(work)
    if (removed) discards.kick()
    return removed
  }

  return {
    remove: (path, by) =>
      removing(async tx => {
        const row = await findByPath(tx, path)
        if (row) await remove(tx, row, by)
        return row !== null
      }),
    removeId: (id, by, check) =>
      removing(async tx => {
        const row = await findByUploadId(tx, id)
        if (!row) return false
        check(row.path)
        if (!(await takeUploadId(tx, row.id, id))) await remove(tx, row, by)
        return true
      }),
  }
}

/** What an upload changes in the database, in one transaction. */
function createRecording({ database, discards, now, derivable, onTokenUpload }: MediaParts) {
  /** Makes the change, and tells of it in the history and in messages. */
  async function told<T>(
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
   * Joins an upload to a file that has the same bytes already: the file now belongs to this uploader and gets one more
   * id. The address stays, and caches stay valid.
   */
  async function join(tx: Queries, file: FileToStore, row: MediaRow, id: string): Promise<Recorded> {
    const token = tokenOf(file.by)
    const token_id = token?.id ?? null
    const [recorded, held] = await together(isUploadId(tx, id), bytesHeld(tx, token))
    if (recorded) return { joined: true, stored: storedAs(row, id) }
    checkQuota(token, held, gainOf(token, file, row))
    await told(tx, file, 'ueberschrieben', updated_at =>
      together(
        tx.updateTable('media').set({ token_id, updated_at }).where('nr', '=', row.nr).execute(),
        addUploadId(tx, row.id, id),
      ),
    )
    return { joined: true, stored: storedAs(row, id) }
  }

  /**
   * Writes the row of a committed object. `unusable` is the id of an earlier content whose object is not whole: the
   * same bytes replace this content instead of joining it. The upload joins another file when somebody else has stored
   * the same bytes at this path meanwhile.
   *
   * Recording the same id again changes nothing. Otherwise a second call, after a first one whose commit was not
   * answered, would take the row of the first for an earlier content, and let its own object go.
   */
  const record = (file: FileToStore, id: string, object: string, unusable?: string): Promise<Recorded> =>
    database.transaction(async tx => {
      const { path, size, sha256, mime } = file
      const token = tokenOf(file.by)
      const [earlier, held] = await together(findByPath(tx, path), bytesHeld(tx, token))
      if (earlier?.id === id) return { joined: false, stored: storedAs(earlier, id) }
      if (earlier && !mayReplace(file, earlier.sha256)) throw failure.pathTaken(path)
      if (earlier && earlier.id !== unusable && isSame(file, earlier)) return join(tx, file, earlier, id)
      checkQuota(token, held, gainOf(token, file, earlier))
      const [nr] = await told(tx, file, earlier ? 'ueberschrieben' : 'hochgeladen', async at => {
        const row = {
          ...{ id, path, object, size, sha256, mime, kind: kindOf(mime) },
          derived: derivable(mime) ? ('pending' as const) : ('done' as const),
          token_id: token?.id ?? null,
          created_at: earlier?.created_at ?? at,
          updated_at: at,
        }
        return together(putRow(tx, sound(row)), earlier && letGo(tx, file, earlier, id, discards.dueAt()))
      })
      return { joined: false, stored: { nr, id, path, size, sha256, mime, replaced: earlier !== null } }
    })

  return { record, join }
}

/** Whether the upload equals the stored file. Another type gives readers another answer, so it is not equal. */
function isSame({ overwrite, sha256, mime }: FileToStore, row: MediaRow): boolean {
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
 * Lets the replaced content go, and drops its ids. With `equal` the new file has the same bytes, which the holders of
 * the ids were answered with: then the ids are carried over to the new content.
 */
async function letGo(tx: Queries, file: FileToStore, earlier: MediaRow, id: string, dueAt: number) {
  await together(
    discardObjects(tx, objectsOf(earlier), dueAt),
    file.overwrite === 'equal' ? carryUploadIds(tx, earlier.id, id) : dropUploadIds(tx, [earlier.id]),
  )
}
