/**
 * Reads candidates. A candidate is a stored original that may get a row in the new database, with what the
 * store knows about it: its name, its times, and the size and hash of its bytes.
 */
import { kindOf } from '../../contract/paths/kinds.ts'
import { isRelocated } from '../../storage/names.ts'
import type { Storage } from '../../storage/storage.ts'
import type { OwnObject } from '../integrity/compare.ts'
import { hashObject } from '../integrity/examine.ts'
import { validateRow } from '../media/check-file-row.ts'
import { typeOfPath } from '../upload/type-lookup.ts'

export type Candidate = NonNullable<Awaited<ReturnType<typeof readCandidate>>>

/** Reads the whole object. Null if it is gone; rejects if it cannot be read. */
export async function readCandidate(
  storage: Storage,
  listedObject: OwnObject,
  onBytes: (count: number) => void,
) {
  const { parsed: parsedName } = listedObject
  const storedObject = await storage.inspect(listedObject.name)
  if (!storedObject) return null
  return {
    object: listedObject.name,
    id: parsedName.id,
    path: parsedName.path,
    ...(parsedName.trashNr !== undefined && { trashNr: parsedName.trashNr }),
    size: storedObject.size,
    sha256: await hashObject(storedObject, onBytes),
    /** `writtenAt` and `changedAt` are Unix milliseconds, rounded down. */
    writtenAt: Math.floor(listedObject.writtenAt),
    changedAt: Math.floor(listedObject.changedAt),
  }
}

/**
 * The row of the candidate, with columns that both `media` and `trash` have. The media type is derived from
 * the file extension.
 */
export function rowOfCandidate(candidate: Candidate) {
  const { object, id, path, size, sha256, writtenAt } = candidate
  const mime = typeOfPath(path)
  return validateRow({
    id,
    path,
    object,
    size,
    sha256,
    mime,
    kind: kindOf(mime),
    token_id: null,
    created_at: writtenAt,
    updated_at: writtenAt,
  })
}

/**
 * Whether `candidate` was written later than `rival`. If both were written at the same time, a name with a
 * mark (`isRelocated`) counts as later than one without; otherwise, the name that sorts last counts as later.
 */
export function isLater(
  candidate: Pick<Candidate, 'object' | 'writtenAt'>,
  rival: Pick<Candidate, 'object' | 'writtenAt'>,
): boolean {
  if (candidate.writtenAt !== rival.writtenAt) return candidate.writtenAt > rival.writtenAt
  const [isOneRelocated, isOtherRelocated] = [isRelocated(candidate.object), isRelocated(rival.object)]
  return isOneRelocated === isOtherRelocated ? candidate.object > rival.object : isOneRelocated
}
