/** Lists, finds, creates and ends drop links. */
import { actorText } from '../../contract/accounts/actors.ts'
import { DROP_KEY_LENGTH, type DropInput } from '../../contract/files/drops.ts'
import { DROP_DEFAULT_FILES } from '../../contract/values/input-limits.ts'
import { failure } from '../../errors/errors.ts'
import { type Actor, nameActor } from '../../http/access/actor.ts'
import { type Area, isFolderInside } from '../../http/access/library-area.ts'
import type { FeatureParts } from '../feature.ts'
import { recordAdministration } from '../history/administration.store.ts'
import { type DropRow, deleteDrop, findDrop, insertDrop, listDrops } from './drops.store.ts'

export type Drops = ReturnType<typeof createDrops>

export function createDrops({ database, newId, now }: Pick<FeatureParts, 'database' | 'newId' | 'now'>) {
  return {
    list: (allowedArea: Area) => listDrops(database.read, allowedArea),

    /** Rejects with the same 404 if the link is unknown, was ended or has expired. */
    async find(key: string) {
      const link = await findDrop(database.read, key)
      if (!link || (link.valid_until !== null && now() >= link.valid_until)) throw failure.dropAbsent()
      return link
    },

    /** Creates a drop link. Its folder need not exist yet: the first file creates it. */
    create(input: DropInput, actor: Actor): Promise<DropRow> {
      const created_at = now()
      const link = {
        key: newId(DROP_KEY_LENGTH),
        folder: input.ordner,
        note: input.hinweis || null,
        max_bytes: input.max_bytes ?? null,
        kinds: input.arten ? JSON.stringify(input.arten) : null,
        valid_until: input.gueltig_bis ?? null,
        max_files: input.anzahl ?? DROP_DEFAULT_FILES,
        files: 0,
        bytes: 0,
        created_at,
        created_by: actorText(nameActor(actor)),
      }
      return database.transaction(async tx => {
        await insertDrop(tx, link)
        await recordAdministration(tx, actor, created_at, {
          what: 'abgabe_erstellt',
          old: null,
          new: link.folder,
        })
        return link
      })
    },

    /**
     * Ends a link; files that were handed in are kept. Rejects with 404 if there is no such link to a folder
     * in `allowedArea`.
     */
    end(key: string, actor: Actor, allowedArea: Area) {
      return database.transaction(async tx => {
        const link = await findDrop(tx, key)
        if (!link || !isFolderInside(link.folder, allowedArea)) throw failure.dropAbsent()
        await deleteDrop(tx, key)
        await recordAdministration(tx, actor, now(), { what: 'abgabe_beendet', old: link.folder, new: null })
      })
    },
  }
}
