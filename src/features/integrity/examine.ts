/** Compares one object with its row: existence, length and content. */

import { createLowPriorityHash, sha256OfStream } from '../../base/hash/sha256.ts'
import type { Database } from '../../database/database.ts'
import type { FindingReason } from '../../database/schema.ts'
import type { Storage, StoredObject } from '../../storage/storage.ts'
import { findOwner, type Owner } from './owners.ts'

export interface ExamineParts {
  database: Pick<Database, 'read'>
  storage: Pick<Storage, 'inspect' | 'measure'>
}

export interface ExamineOptions {
  /** Whether every byte is read; otherwise only existence and length are checked. */
  readsContent: boolean
  /** Called with the length of each chunk; reading continues when the promise resolves. */
  onBytes?: (count: number) => Promise<void> | void
}

/**
 * Maximum number of attempts per file. If the file is moved during every attempt, before it could be opened,
 * it is left for the next check.
 */
const MAX_ATTEMPTS = 3

/**
 * Returns the problem of the file; null if it is intact, was deleted meanwhile, or moved during every
 * attempt.
 */
export async function examineFile(
  { database, storage }: ExamineParts,
  owner: Owner,
  options: ExamineOptions,
): Promise<FindingReason | null> {
  let currentOwner = owner
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const reason = await problemOf(storage, currentOwner, options)
    if (!reason) return null
    const latestOwner = await findOwner(database.read, owner.id)
    if (!latestOwner) return null
    // The file counts as damaged only if at least two attempts found a problem and its object did not move
    // during the last one. A single error may come from the machine and not from the disk.
    if (latestOwner.object === currentOwner.object && attempt > 1) return reason
    currentOwner = latestOwner
  }
  return null
}

async function problemOf(
  storage: ExamineParts['storage'],
  { object, size, sha256 }: Owner,
  { readsContent, onBytes }: ExamineOptions,
): Promise<FindingReason | null> {
  try {
    const storedObject = readsContent ? await storage.inspect(object) : null
    const foundSize = readsContent ? (storedObject?.size ?? null) : await storage.measure(object)
    if (foundSize === null) return 'missing'
    if (foundSize === size)
      return storedObject && (await hashObject(storedObject, onBytes)) !== sha256 ? 'content' : null
    if (storedObject?.body instanceof ReadableStream) await storedObject.body.cancel()
    return 'size'
  } catch {
    return 'unreadable'
  }
}

/** Hashes an object in constant memory. */
export function hashObject(storedObject: StoredObject, onBytes?: ExamineOptions['onBytes']): Promise<string> {
  const { body } = storedObject
  return sha256OfStream(
    body instanceof Blob ? body.stream() : body,
    chunk => onBytes?.(chunk.length),
    createLowPriorityHash(),
  )
}
