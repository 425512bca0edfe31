/** Creates and revokes share links. A link publishes the list of a folder; the files are public anyway. */

import type { NewId } from '../../base/ids.ts'
import { actorText } from '../../contract/accounts/actors.ts'
import { SHARE_KEY_LENGTH } from '../../contract/files/shares.ts'
import type { Database } from '../../database/database.ts'
import { failure } from '../../errors/errors.ts'
import { type Actor, nameActor } from '../../http/access/actor.ts'
import { type Area, isFolderInside } from '../../http/access/area.ts'
import { folderExists } from '../folders/folders.store.ts'
import { recordAdministration } from '../history/administration.store.ts'
import { deleteShare, findShare, insertShare, listShares } from './shares.store.ts'

export type Shares = ReturnType<typeof createShares>

export function createShares(parts: { database: Database; newId: NewId; now: () => number }) {
  const { database, newId, now } = parts
  return {
    list: (reach: Area) => listShares(database.read, reach),
    /** Takes the same time whether the key is known, revoked or nonsense. */
    find: (key: string) => findShare(database.read, key),

    /** A new link each time, so that each can be revoked alone. Rejects with 404 if the folder is missing. */
    create(folder: string, by: Actor) {
      const created_at = now()
      const share = { key: newId(SHARE_KEY_LENGTH), folder, created_at, created_by: actorText(nameActor(by)) }
      return database.transaction(async tx => {
        if (!(await folderExists(tx, folder))) throw failure.folderAbsent()
        await insertShare(tx, share)
        await recordAdministration(tx, by, created_at, { what: 'freigabe_erstellt', old: null, new: folder })
        return share
      })
    },

    /** Rejects with 404 if there is no such link in the account's reach. */
    withdraw(key: string, by: Actor, reach: Area) {
      return database.transaction(async tx => {
        const share = await findShare(tx, key)
        if (!share || !isFolderInside(share.folder, reach)) throw failure.shareAbsent()
        await deleteShare(tx, key)
        const { folder } = share
        await recordAdministration(tx, by, now(), { what: 'freigabe_widerrufen', old: folder, new: null })
      })
    },
  }
}
