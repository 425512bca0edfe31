/** Records the stored variants and previews in the new index, so that they need not be remade. */
import { collected } from '../../base/batches.ts'
import { mayHaveVariant } from '../../contract/paths/kinds.ts'
import type { Queries } from '../../database/database.ts'
import { previewName, variantName } from '../../storage/names.ts'
import type { Storage } from '../../storage/storage.ts'
import type { FeatureParts } from '../feature.ts'
import { isOwn, type OwnObject, walkStore } from '../integrity/compare.ts'
import { type Owner, ownersOf } from '../integrity/owners.ts'

/** When all originals have rows. Derived files are kept if none is missing; otherwise all are remade. */
export async function takeOverDerived({
  database,
  storage,
}: Pick<FeatureParts, 'database' | 'storage'>): Promise<void> {
  for await (const found of collected(derivedFiles(storage)))
    await database.transaction(async tx => {
      const ids = [...new Set(found.map(({ parsed }) => parsed.id))]
      const owners = new Map((await ownersOf(tx, ids)).map(owner => [owner.id, owner]))
      for (const file of found) await takeOver(tx, file, owners.get(file.parsed.id))
    })
}

async function* derivedFiles(storage: Storage): AsyncGenerator<OwnObject> {
  for await (const object of walkStore(storage)) {
    if (isOwn(object) && object.parsed.role !== 'original') yield object
  }
}

/** The owner is updated too: the next file may be its second one. */
async function takeOver(tx: Queries, { name, size, parsed }: OwnObject, owner?: Owner): Promise<void> {
  const { role, mark = null } = parsed
  // A file in the trash has no variant; one made under an earlier name of the original belongs to nobody.
  if (!owner || (role === 'variant' && owner.place === 'trash')) return
  const derivedName = role === 'variant' ? variantName : previewName
  if (derivedName(owner.object, mark) !== name) return
  const columns =
    role === 'variant'
      ? { variant_size: size, variant_mark: mark }
      : { preview_size: size, preview_mark: mark }
  Object.assign(owner, columns)
  if (owner.place === 'trash') await tx.updateTable('trash').set(columns).where('nr', '=', owner.nr).execute()
  else
    await tx
      .updateTable('media')
      .set({ ...columns, derived: isComplete(owner) ? 'done' : 'pending' })
      .where('nr', '=', owner.nr)
      .execute()
}

const isComplete = ({ mime, variant_size, preview_size }: Owner) =>
  preview_size !== null && (variant_size !== null || !mayHaveVariant(mime))
