/** Holds one object against its row: is it there, as long as it was, and with the bytes it was stored with? */
import type { Database } from '../../database/database.ts'
import type { FindingReason } from '../../database/schema.ts'
import { sha256Of } from '../../sha256.ts'
import type { Storage, StoredObject } from '../../storage/storage.ts'
import { findOwner, type Owner } from './owners.ts'

export interface ExamineParts {
  database: Pick<Database, 'read'>
  storage: Pick<Storage, 'open'>
}

export interface ExamineOptions {
  /** Reads every byte; without it only presence and length count. */
  content: boolean
  /** Told of each piece that was read; reading goes on when it resolves. */
  onBytes?: (count: number) => Promise<void> | void
}

/** Times that a file may move between its row being read and its object being opened before it is left for later. */
const LOOKS = 3

/** What is wrong with the file; null when it is in order, or is gone meanwhile. */
export async function examine(
  { database, storage }: ExamineParts,
  owner: Owner,
  options: ExamineOptions,
): Promise<FindingReason | null> {
  let current = owner
  for (let look = 1; look <= LOOKS; look++) {
    const reason = await problemOf(storage, current, options)
    if (!reason) return null
    const now = await findOwner(database.read, owner.id)
    if (!now) return null
    // Nothing has moved, and it was bad twice: then it is bad. A single error may be the machine's, not the disk's.
    if (now.object === current.object && look > 1) return reason
    current = now
  }
  return null
}

async function problemOf(
  storage: ExamineParts['storage'],
  { object, size, sha256 }: Owner,
  { content, onBytes }: ExamineOptions,
): Promise<FindingReason | null> {
  try {
    const stored = await storage.open(object)
    if (!stored) return 'missing'
    if (stored.size !== size) return 'size'
    return content && (await hashOf(stored, onBytes)) !== sha256 ? 'content' : null
  } catch {
    return 'unreadable'
  }
}

/** SHA-256 of an object, in constant memory. */
export function hashOf(stored: StoredObject, onBytes?: ExamineOptions['onBytes']): Promise<string> {
  const body = stored.body()
  return sha256Of(body instanceof Blob ? body.stream() : body, onBytes)
}
