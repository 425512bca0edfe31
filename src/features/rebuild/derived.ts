/** Records the stored variants and previews in the new database, so that they need not be remade. */
import { streamBatches } from '../../base/batches.ts'
import type { Queries } from '../../database/database.ts'
import {
  DERIVATIONS,
  DERIVED_PARTS,
  markColumn,
  mayHavePart,
  sizeColumn,
} from '../../storage/derived-parts.ts'
import { derivedObjectName } from '../../storage/names.ts'
import type { Storage } from '../../storage/storage.ts'
import type { FeatureParts } from '../feature.ts'
import { isOwnObject, type OwnObject, walkStore } from '../integrity/compare.ts'
import { findOwners, type Owner } from '../integrity/owners.ts'

/**
 * Must be called after all originals have rows. A file that lacks one of its derived files stays pending, so
 * the service will make all its derived files again.
 */
export async function recordDerivedFiles({
  database,
  storage,
}: Pick<FeatureParts, 'database' | 'storage'>): Promise<void> {
  for await (const batch of streamBatches(listDerivedFiles(storage)))
    await database.transaction(async tx => {
      const ids = [...new Set(batch.map(({ parsed: parsedName }) => parsedName.id))]
      const ownersById = new Map((await findOwners(tx, ids)).map(owner => [owner.id, owner]))
      for (const file of batch) await recordDerivedFile(tx, file, ownersById.get(file.parsed.id))
    })
}

/**
 * Roles of objects that are not recorded here. Pictures in the configured sizes are made again when they are
 * requested.
 */
const UNRECORDED_ROLES: ReadonlySet<string> = new Set(['original', 'size'])

async function* listDerivedFiles(storage: Storage): AsyncGenerator<OwnObject> {
  for await (const object of walkStore(storage)) {
    if (isOwnObject(object) && !UNRECORDED_ROLES.has(object.parsed.role)) yield object
  }
}

/**
 * Records a derived file in the row of its owner. Does nothing if no row owns the file, if the trash keeps no
 * file of this role, or if the name of the file does not fit its owner. `owner` itself is updated too,
 * because the next derived file may belong to the same owner.
 */
async function recordDerivedFile(
  tx: Queries,
  { name, size, parsed: parsedName }: OwnObject,
  owner?: Owner,
): Promise<void> {
  const { role, mark = null } = parsedName
  if (
    !owner ||
    role === 'original' ||
    role === 'size' ||
    (owner.place === 'trash' && !DERIVATIONS[role].isKeptInTrash)
  )
    return
  // A derived file that was made under an earlier name of the original no longer belongs to it.
  if (derivedObjectName(role, owner.object, mark) !== name) return
  const columns = { [sizeColumn(role)]: size, [markColumn(role)]: mark }
  Object.assign(owner, columns)
  if (owner.place === 'trash') await tx.updateTable('trash').set(columns).where('nr', '=', owner.nr).execute()
  else
    await tx
      .updateTable('media')
      .set({ ...columns, derived: hasAllDerivedFiles(owner) ? 'done' : 'pending' })
      .where('nr', '=', owner.nr)
      .execute()
}

const hasAllDerivedFiles = (owner: Owner) =>
  DERIVED_PARTS.every(part => owner[sizeColumn(part)] !== null || !mayHavePart(part, owner.mime))
