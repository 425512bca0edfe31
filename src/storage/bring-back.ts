/** Brings back what the journals of a process that is gone have kept (decision 0034). */
import { basename, join } from 'node:path'
import { journaled } from './journal.ts'
import type { JournalRecord } from './journal-record.ts'
import { longPath, renamePatiently } from './platform.ts'
import type { Storage } from './storage.ts'

export interface BringBackParts extends Pick<Storage, 'open' | 'remove'> {
  /** Whether a row has an object of this name. */
  isOwned: (name: string) => Promise<boolean>
  /** Writes a file again that a journal has kept. */
  write: (record: JournalRecord, options: { flushed: boolean }) => Promise<void>
  /** Null where the file system cannot be flushed as a whole. */
  flushAll: (() => Promise<void>) | null
  /** The folder in which a damaged journal is kept. */
  aside: string
  onDamage: (found: JournalDamage) => void
}

export interface JournalDamage {
  /** Where the journal is kept. */
  journal: string
  /** Stretches of it that cannot be read; some may be of uploads that were refused. */
  unreadable: number
  /** Objects with a row whose bytes are lost. */
  lost: readonly string[]
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
    for await (const { records } of journaled(folder)) {
      for (const record of records) {
        if (await isOwned(record.name)) {
          await parts.write(record, { flushed })
          written++
        } else if (isGone && !(await isWhole(record, parts))) await parts.remove(record.name)
      }
    }
    return written
  }
  // As in the journal itself: after a failed flush another one would prove nothing.
  if (!flushAll) await writeAll(true)
  else if ((await writeAll(false)) > 0) await flushAll().catch(() => writeAll(true))
  if (isGone) await setDamagedAside(folder, parts)
}

/**
 * Keeps journals that could not be read as a whole, and tells what was lost with them. A file with a row whose bytes are not
 * those that were recorded is removed: it must not be served in the place of what is lost, and `check` names its row.
 */
async function setDamagedAside(folder: string, parts: BringBackParts): Promise<void> {
  for await (const { file, gaps, damaged } of journaled(folder)) {
    const lost: string[] = []
    for (const { name, isWhole } of damaged) {
      if (!(await parts.isOwned(name))) continue
      const bytes = await parts.open(name).then(
        object => object?.bytes(),
        () => null,
      )
      if (bytes && isWhole(bytes)) continue
      await parts.remove(name)
      lost.push(name)
    }
    if (gaps.length === 0 && lost.length === 0) continue
    const kept = join(parts.aside, `journal-${basename(folder)}-${basename(file)}`)
    await renamePatiently(longPath(file), longPath(kept))
    parts.onDamage({ journal: kept, unreadable: gaps.length, lost })
  }
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
