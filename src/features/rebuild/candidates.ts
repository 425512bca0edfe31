/** What the disk tells about a file: everything that follows from its name, its times and its bytes. */
import { kindOf } from '../../contract/paths/kinds.ts'
import { isRelocated } from '../../storage/names.ts'
import type { Storage } from '../../storage/storage.ts'
import type { OwnObject } from '../integrity/compare.ts'
import { hashOf } from '../integrity/examine.ts'
import { sound } from '../media/file-row.ts'
import { typeOfPath } from '../upload/media-type.ts'

export interface Candidate {
  object: string
  id: string
  path: string
  trashNr?: number
  size: number
  sha256: string
  /** Both times are whole milliseconds. */
  writtenAt: number
  changedAt: number
}

/**
 * Reads the whole object. Returns null when the object is gone meanwhile; rejects when the object cannot be
 * read.
 */
export async function readCandidate(
  storage: Storage,
  listed: OwnObject,
  onBytes: (count: number) => void,
): Promise<Candidate | null> {
  const { parsed } = listed
  const stored = await storage.inspect(listed.name)
  if (!stored) return null
  return {
    object: listed.name,
    id: parsed.id,
    path: parsed.path,
    ...(parsed.trashNr !== undefined && { trashNr: parsed.trashNr }),
    size: stored.size,
    sha256: await hashOf(stored, onBytes),
    writtenAt: Math.floor(listed.writtenAt),
    changedAt: Math.floor(listed.changedAt),
  }
}

/** The columns that `media` and `trash` have in common. The type of the file is what its extension says. */
export function rowOf(candidate: Candidate) {
  const { object, id, path, size, sha256, writtenAt } = candidate
  const mime = typeOfPath(path)
  return sound({
    ...{ id, path, object, size, sha256, mime, kind: kindOf(mime) },
    token_id: null,
    created_at: writtenAt,
    updated_at: writtenAt,
  })
}

/**
 * Whether `one` is later than `other`. Of two objects for one file, the later one was written later. Of two
 * names for the same bytes, the later one was given later.
 */
export function isLater(
  one: Pick<Candidate, 'object' | 'writtenAt'>,
  other: Pick<Candidate, 'object' | 'writtenAt'>,
): boolean {
  if (one.writtenAt !== other.writtenAt) return one.writtenAt > other.writtenAt
  const [marked, otherMarked] = [isRelocated(one.object), isRelocated(other.object)]
  return marked === otherMarked ? one.object > other.object : marked
}
