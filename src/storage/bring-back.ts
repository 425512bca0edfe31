/** Brings back what the journals of a process that is gone have kept (decision 0034). */
import { journaled } from './journal.ts'
import type { JournalRecord } from './journal-record.ts'
import type { Storage } from './storage.ts'

export interface BringBackParts extends Pick<Storage, 'open' | 'remove'> {
  /** Whether a row has an object of this name. */
  isOwned: (name: string) => Promise<boolean>
  /** Writes a file again that a journal has kept. */
  write: (record: JournalRecord, options: { flushed: boolean }) => Promise<void>
  /** Null where the file system cannot be flushed as a whole. */
  flushAll: (() => Promise<void>) | null
}

/** What lies there of the files that a journal has kept may be nothing but zeros, so the store is not to be used. */
export class NotBroughtBackError extends Error {
  readonly code = 'NOT_BROUGHT_BACK'

  constructor(cause: unknown) {
    super('files that a journal has kept cannot be brought back', { cause })
  }
}

/**
 * Every file that a row has is written again, also one that seems whole: what was read would be the memory of a kernel
 * that may have failed to write it. `isGone`: no process can be writing any more what the journals in this folder have
 * kept.
 */
export async function bringBack(folder: string, isGone: boolean, parts: BringBackParts): Promise<void> {
  const { isOwned, flushAll } = parts
  const writeAll = async (flushed: boolean) => {
    let written = 0
    for await (const record of journaled(folder)) {
      if (await isOwned(record.name)) {
        await parts.write(record, { flushed })
        written++
      } else if (isGone && !(await isWhole(record, parts))) await parts.remove(record.name)
    }
    return written
  }
  if (!flushAll) return void (await writeAll(true))
  // As in the journal itself: after a failed flush another one would prove nothing.
  if ((await writeAll(false)) > 0) await flushAll().catch(() => writeAll(true))
}

/** False also for what cannot be read. */
async function isWhole({ name, bytes }: JournalRecord, { open }: BringBackParts): Promise<boolean> {
  try {
    const there = await open(name)
    return there?.size === bytes.length && Buffer.compare(bytes, await there.bytes()) === 0
  } catch {
    return false
  }
}
