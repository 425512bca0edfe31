/** What the disk says of a file: everything that its name, its times and its bytes tell. */
import { kindOf, mayHaveVariant } from '../../contract/kinds.ts'
import type { DerivedState } from '../../database/schema.ts'
import { isRelocated, previewName, variantName } from '../../storage/names.ts'
import type { Storage } from '../../storage/storage.ts'
import type { OwnObject } from '../integrity/compare.ts'
import { hashOf } from '../integrity/examine.ts'
import { sound } from '../media/file-row.ts'
import { isDerivable } from '../previews/derive.ts'
import { typeOfPath } from '../upload/media-type.ts'

export interface Candidate {
  object: string
  id: string
  path: string
  trashNr?: number
  size: number
  sha256: string
  /** Whole milliseconds. */
  writtenAt: number
  changedAt: number
  variantSize: number | null
  previewSize: number | null
}

/** Reads the whole object. Null when it is gone meanwhile; rejects when it cannot be read. */
export async function readCandidate(
  storage: Storage,
  listed: OwnObject,
  onBytes: (count: number) => void,
): Promise<Candidate | null> {
  const { parsed } = listed
  const stored = await storage.open(listed.name)
  if (!stored) return null
  const sizeOf = async (name: string) => (await storage.open(name))?.size ?? null
  return {
    object: listed.name,
    id: parsed.id,
    path: parsed.path,
    ...(parsed.trashNr !== undefined && { trashNr: parsed.trashNr }),
    size: stored.size,
    sha256: await hashOf(stored, onBytes),
    writtenAt: Math.floor(listed.writtenAt),
    changedAt: Math.floor(listed.changedAt),
    variantSize: parsed.trashNr === undefined ? await sizeOf(variantName(listed.name)) : null,
    previewSize: await sizeOf(previewName(listed.name)),
  }
}

/** What both tables hold of a file. Its type is what its extension says. */
export function rowOf(candidate: Candidate) {
  const { object, id, path, size, sha256, writtenAt, variantSize, previewSize } = candidate
  const mime = typeOfPath(path)
  return sound({
    ...{ id, path, object, size, sha256, mime, kind: kindOf(mime) },
    token_id: null,
    created_at: writtenAt,
    updated_at: writtenAt,
    variant_size: variantSize,
    preview_size: previewSize,
  })
}

/** What is there is taken over; where something is missing everything is made anew. */
export function derivedStateOf({ path, variantSize, previewSize }: Candidate): DerivedState {
  const mime = typeOfPath(path)
  const complete = previewSize !== null && (variantSize !== null || !mayHaveVariant(mime))
  return complete || !isDerivable(mime) ? 'done' : 'pending'
}

/** Of two objects for one file the one written later; of two names for the same bytes the one given later. */
export function isLater(
  one: Pick<Candidate, 'object' | 'writtenAt'>,
  other: Pick<Candidate, 'object' | 'writtenAt'>,
): boolean {
  if (one.writtenAt !== other.writtenAt) return one.writtenAt > other.writtenAt
  const [marked, otherMarked] = [isRelocated(one.object), isRelocated(other.object)]
  return marked === otherMarked ? one.object > other.object : marked
}
