/** Recovers the files in the journals of processes that have exited (decision 0034). */
import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { sha256 } from '../../base/hash/sha256.ts'
import { longPath, renamePatiently } from '../local/platform.ts'
import type { Content, Storage } from '../storage.ts'
import { type JournalFile, journaled } from './journal.ts'
import type { DecodedJournal, JournalRecord } from './journal-record.ts'

/** Objects of rows stored since this time (milliseconds), short enough for a journal. */
export type StoredSince = (time: number) => AsyncIterable<Content & { object: string }>

export interface RecoveryParts extends Pick<Storage, 'open' | 'remove'> {
  /** Whether a row owns the object. */
  isOwned: (name: string) => Promise<boolean>
  storedSince: StoredSince
  /** Writes a journalled file again. */
  write: (record: JournalRecord, options: { flushed: boolean }) => Promise<void>
  /** Null if the file system cannot be flushed as a whole. */
  flushAll: (() => Promise<void>) | null
  /** The folder in which a damaged journal is kept. */
  aside: string
  /** Lost objects that were reported already: several journals may have held the same file. */
  reported: Set<string>
  onDamage: (found: JournalDamage) => Promise<void>
}

export interface JournalDamage {
  /** Where the journals are kept. */
  journals: readonly string[]
  /** Unreadable stretches; some may be of uploads that were refused. */
  unreadable: number
  /** Objects with a row whose bytes are lost. */
  lost: readonly string[]
}

/** Journalled files may be all zeros on disk, so the store must not be used. */
export class NotRecoveredError extends Error {
  readonly code = 'NOT_BROUGHT_BACK'

  constructor(cause: unknown) {
    super('files that a journal has kept cannot be brought back', { cause })
  }
}

/**
 * Every file that a row owns is written again, even if it seems intact: what was read may be the page cache
 * of a kernel that failed to write it. `isGone`: no process can still be writing files of these journals.
 */
export async function recoverFiles(folder: string, isGone: boolean, parts: RecoveryParts): Promise<void> {
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
  // As in the journal itself: after a failed flush, another one would prove nothing.
  if (!flushAll) await writeAll(true)
  else if ((await writeAll(false)) > 0) await flushAll().catch(() => writeAll(true))
  if (isGone) await setAsideDamaged(folder, parts)
}

/**
 * Keeps journals that could not be read completely, and reports what was lost. A file whose bytes do not
 * match its row is removed: it must not be served in place of what is lost.
 *
 * The order matters: until the journals are set aside, a process that opens the folder after a crash finds
 * the same damage again.
 */
async function setAsideDamaged(folder: string, parts: RecoveryParts): Promise<void> {
  const journals = await Array.fromAsync(journaled(folder))
  const lost = await lostFiles(folder, journals, parts)
  const unreadable = journals.flatMap(({ gaps }) => gaps).length
  if (lost.length + unreadable === 0) return
  const damaged = journals.filter(({ gaps, damaged }) => gaps.length + damaged.length > 0)
  // If no journal seems damaged, the end of one is missing, which looks like a write interrupted by a crash.
  const kept = (damaged.length > 0 ? damaged : journals).map(({ file }) => ({
    file,
    target: join(parts.aside, `journal-${basename(folder)}-${basename(file)}`),
  }))
  await parts.onDamage({ journals: kept.map(({ target }) => target), unreadable, lost })
  for (const { file, target } of kept) await renamePatiently(longPath(file), longPath(target))
}

async function lostFiles(
  folder: string,
  journals: readonly JournalFile[],
  parts: RecoveryParts,
): Promise<string[]> {
  const { isOwned, reported } = parts
  const written = new Set(journals.flatMap(({ records }) => records.map(({ name }) => name)))
  const lost: string[] = []
  let others: Set<string> | undefined
  for await (const { name, isWhole } of doubtfulFiles(journals, parts)) {
    if (written.has(name) || reported.has(name)) continue
    const bytes = await parts.open(name).then(
      object => object?.bytes(),
      () => null,
    )
    // The row is checked last: another process may have moved the file meanwhile.
    if ((bytes && isWhole(bytes)) || !(await isOwned(name))) continue
    others ??= await namesInOtherJournals(folder)
    if (others.has(name)) continue
    // A file that cannot be read is kept: it is not served, and the error may be temporary.
    if (bytes) await parts.remove(name)
    reported.add(name)
    lost.push(name)
  }
  return lost
}

/** Files with a damaged record, and files that may have had a record that cannot be read at all. */
async function* doubtfulFiles(
  journals: readonly JournalFile[],
  { storedSince }: RecoveryParts,
): AsyncGenerator<DecodedJournal['damaged'][number]> {
  for (const { damaged } of journals) yield* damaged
  const since = Math.min(...journals.map(journal => journal.since))
  if (since === Number.POSITIVE_INFINITY) return
  for await (const { object, size, ...row } of storedSince(since))
    yield { name: object, isWhole: bytes => bytes.length === size && sha256(bytes) === row.sha256 }
}

/** Names in the journals of other processes: those of exited processes may not have been recovered yet. */
async function namesInOtherJournals(folder: string): Promise<Set<string>> {
  const names = new Set<string>()
  for (const other of await readdir(longPath(dirname(folder))))
    if (other !== basename(folder))
      for await (const { records } of journaled(join(dirname(folder), other)))
        for (const { name } of records) names.add(name)
  return names
}

/** False also if the file cannot be read. */
async function isWhole({ name, bytes }: JournalRecord, { open }: RecoveryParts): Promise<boolean> {
  try {
    const there = await open(name)
    return there?.size === bytes.length && Buffer.compare(bytes, await there.bytes()) === 0
  } catch {
    return false
  }
}
