/**
 * Creates, changes and revokes share links. A link makes the list of a folder public; the files themselves
 * are public anyway.
 */

import type { NewId } from '../../base/ids.ts'
import { localTime } from '../../base/local-time.ts'
import { actorText } from '../../contract/accounts/actors.ts'
import { SHARE_KEY_LENGTH } from '../../contract/files/shares.ts'
import type { Database, Queries } from '../../database/database.ts'
import { failure } from '../../errors/errors.ts'
import { type Actor, nameActor } from '../../http/access/actor.ts'
import { type Area, isFolderInside } from '../../http/access/library-area.ts'
import { folderExists } from '../folders/folders.store.ts'
import { recordAdministration } from '../history/administration.store.ts'
import {
  deleteShare,
  findShare,
  insertShare,
  listShares,
  type ShareRow,
  updateShareExpiry,
} from './shares.store.ts'

const hasExpired = ({ valid_until }: ShareRow, time: number) => valid_until !== null && time >= valid_until

/** The text that describes a link in the administration history. It never contains the link's key. */
const shareText = ({ folder, valid_until }: Pick<ShareRow, 'folder' | 'valid_until'>) =>
  valid_until === null ? folder : `${folder} (bis ${localTime(valid_until)})`

async function findShareWithin(tx: Queries, key: string, allowedArea: Area): Promise<ShareRow> {
  const share = await findShare(tx, key)
  if (!share || !isFolderInside(share.folder, allowedArea)) throw failure.shareAbsent()
  return share
}

export type Shares = ReturnType<typeof createShares>

export function createShares(parts: { database: Database; newId: NewId; now: () => number }) {
  const { database, newId, now } = parts
  return {
    list: (allowedArea: Area) => listShares(database.read, allowedArea),
    /** Finds a link by its key; null if there is none or it has expired. */
    async find(key: string): Promise<ShareRow | null> {
      const share = await findShare(database.read, key)
      return share && !hasExpired(share, now()) ? share : null
    },

    /**
     * Creates a new link even if the folder already has one, so that each link can be revoked separately.
     * Rejects with 404 if the folder is missing.
     */
    create(folder: string, valid_until: number | null, actor: Actor) {
      const created_at = now()
      const created_by = actorText(nameActor(actor))
      const share = { key: newId(SHARE_KEY_LENGTH), folder, valid_until, created_at, created_by }
      return database.transaction(async tx => {
        if (!(await folderExists(tx, folder))) throw failure.folderAbsent()
        await insertShare(tx, share)
        await recordAdministration(tx, actor, created_at, {
          what: 'freigabe_erstellt',
          old: null,
          new: shareText(share),
        })
        return share
      })
    },

    /**
     * Changes the end of a link, even of an expired one. Rejects with 404 if there is no such link to a
     * folder in `allowedArea`.
     */
    changeEnd(key: string, valid_until: number | null, actor: Actor, allowedArea: Area) {
      return database.transaction(async tx => {
        const share = await findShareWithin(tx, key, allowedArea)
        if (share.valid_until === valid_until) return share
        const changedShare = { ...share, valid_until }
        await updateShareExpiry(tx, key, valid_until)
        await recordAdministration(tx, actor, now(), {
          what: 'freigabe_geaendert',
          old: shareText(share),
          new: shareText(changedShare),
        })
        return changedShare
      })
    },

    /** Rejects with 404 if there is no such link to a folder in `allowedArea`. */
    withdraw(key: string, actor: Actor, allowedArea: Area) {
      return database.transaction(async tx => {
        const { folder } = await findShareWithin(tx, key, allowedArea)
        await deleteShare(tx, key)
        await recordAdministration(tx, actor, now(), { what: 'freigabe_widerrufen', old: folder, new: null })
      })
    },
  }
}
