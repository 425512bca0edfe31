/** Brings back what the journals of a process that is gone have kept (decision 0034). */
import { journaled } from './journal.ts'
import type { JournalRecord } from './journal-record.ts'
import type { Storage } from './storage.ts'

export interface BringBackParts extends Pick<Storage, 'open' | 'remove'> {
  /** Whether a row has an object of this name. */
  isOwned: (name: string) => Promise<boolean>
  /** Writes a file again that a journal has kept, and flushes it. */
  rewrite: (record: JournalRecord) => Promise<void>
  /** Null where the file system cannot be flushed as a whole. */
  flushAll: (() => Promise<void>) | null
}

/** `isGone`: no process can be writing any more what the journals in this folder have kept. */
export async function bringBack(folder: string, isGone: boolean, parts: BringBackParts): Promise<void> {
  const { isOwned, rewrite, flushAll } = parts
  let count = 0
  for await (const record of journaled(folder)) {
    count++
    const whole = await isWhole(record, parts)
    if (whole && flushAll) continue
    if (await isOwned(record.name)) await rewrite(record)
    else if (!whole && isGone) await parts.remove(record.name)
  }
  if (count === 0 || !flushAll) return
  await flushAll().catch(async () => {
    // As in the journal itself: after a failed flush another one would prove nothing.
    for await (const record of journaled(folder)) if (await isOwned(record.name)) await rewrite(record)
  })
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
