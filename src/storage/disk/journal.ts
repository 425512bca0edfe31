/**
 * A write-ahead journal for short files. Flushing each file and its folder takes a third of the time of a 10
 * KB upload, and on a plain disk most of it. So the bytes of concurrent uploads are written to a journal with
 * a single flush, and the files get their names without one. Seconds later one call flushes the whole file
 * system, and the journal starts over. After a power cut the next process rewrites what the journal holds
 * (decision 0034).
 *
 * Two journals alternate: one is written to while the file system is flushed for the other.
 */
import { readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { NewId } from '../../base/ids.ts'
import type { FlushFailures } from '../local/flush-failures.ts'
import { ignoreAbsence } from '../local/local-object.ts'
import { flushFolder, longPath } from '../local/platform.ts'
import { type DecodedJournal, decodeRecords, JOURNAL_END, type JournalRecord } from './journal-record.ts'
import { JournalRemoved, openSheet, type Sheet } from './journal-sheet.ts'

/** Bytes after which a journal accepts no more records in this cycle. */
const FULL = 32 * 1024 * 1024
/** Milliseconds from the first record of a cycle to the flush of the file system. */
const CYCLE = 5_000
/** Maximum milliseconds of a cycle including its final flush, even on a slow disk. */
export const LONGEST_CYCLE = 10 * 60_000
/** Milliseconds after which every other process has reported the flush errors that it got. */
const SETTLE = 300
/**
 * Milliseconds after which an unfinished flush is reported as a problem. A slow disk may have gigabytes of
 * other data to write first.
 */
const FLUSH_PATIENCE = 5 * 60_000

export interface Journal {
  /**
   * Makes the bytes durable, then calls `place` to give them their name, which needs no flush. False if the
   * journal does not take them and did nothing: then the file itself must be flushed.
   */
  keep(record: JournalRecord, place: () => Promise<void>): Promise<boolean>
  /** Whether the file still depends on the journal. */
  has(name: string): boolean
  /** Why journalled files cannot be flushed at the moment; it is retried. */
  trouble(): Error | null
  /** Makes every file durable by itself. If it rejects, the journals are still needed. */
  close(): Promise<void>
}

export interface JournalParts {
  /** The folder of the journals, owned by this process. */
  folder: string
  newId: NewId
  /** Flushes everything written to the disk before. */
  flushAll: () => Promise<void>
  /** Rewrites a file and flushes it, unless it was removed meanwhile. */
  rewrite: (record: JournalRecord) => Promise<void>
  failures: FlushFailures
  hasOthers: () => Promise<boolean>
  /** For the error of each failed attempt to flush the files. */
  onFault?: (cause: unknown) => void
  cycle?: number
  patience?: number
  full?: number
}

/** The active journal, and the other one. */
interface Sheets {
  current: Sheet
  spare: Sheet
}

export function createJournal(parts: JournalParts): Journal {
  const {
    flushAll,
    rewrite,
    failures,
    onFault = () => {},
    cycle = CYCLE,
    full = FULL,
    patience = FLUSH_PATIENCE,
  } = parts
  let opened: Promise<Sheets> | undefined
  /** The result of `opened`, for synchronous callers. */
  let both: Sheets | undefined
  let carrying: Promise<void> | null = null
  let timer: Timer | undefined
  let trouble: Error | null = null
  const closing = new AbortController()

  /** Makes the files of a cycle durable by themselves, so that its records are no longer needed. */
  async function carryOver(sheet: Sheet): Promise<void> {
    await Promise.allSettled(sheet.running)
    const tell = (cause: unknown) => {
      trouble = new Error('files cannot be flushed', { cause })
      onFault(trouble)
    }
    const slow = setTimeout(tell, patience, `not within ${patience} ms`).unref()
    let isDurable = true
    await flushAll().catch(error => {
      isDurable = false
      failures.note()
      tell(error)
    })
    clearTimeout(slow)
    if (isDurable && (await parts.hasOthers())) await pause(SETTLE)
    // The kernel may have reported the error to another process's flush, or to an earlier one of ours.
    isDurable &&= failures.count() === sheet.failuresBefore
    for (;;) {
      const isLastTry = closing.signal.aborted
      try {
        // After a failed flush the kernel considers the bytes flushed, so flushing again would prove nothing.
        if (!isDurable) for (const record of await sheet.records()) await rewrite(record)
        isDurable = true
        await sheet.clear()
        trouble = null
        return
      } catch (error) {
        tell(error)
      }
      if (isLastTry) return
      await pause(cycle, undefined, { signal: closing.signal }).catch(() => {})
    }
  }

  /** Swaps the journals. False while the file system is still being flushed for the other one. */
  function changePlaces(sheets: Sheets): boolean {
    clearTimeout(timer)
    if (carrying) return false
    const { current, spare } = sheets
    Object.assign(sheets, { current: spare, spare: current })
    carrying = carryOver(current).finally(() => {
      carrying = null
      if (sheets.current.taken > 0) changeLater(sheets)
    })
    return true
  }

  function changeLater(sheets: Sheets): void {
    clearTimeout(timer)
    timer = setTimeout(changePlaces, cycle, sheets).unref()
  }

  async function openSheets(): Promise<Sheets> {
    await using closedOnError = new AsyncDisposableStack()
    const sheet = async (name: string) => {
      const file = longPath(join(parts.folder, name + JOURNAL_END))
      return closedOnError.adopt(await openSheet(file, parts.newId), opened => opened.close())
    }
    const sheets = { current: await sheet('a'), spare: await sheet('b') }
    // The names of the journals must survive a power cut too.
    for (const folder of [parts.folder, dirname(parts.folder), dirname(dirname(parts.folder))])
      await flushFolder(folder)
    closedOnError.move()
    both = sheets
    return sheets
  }

  /** Undefined if the journals cannot be opened. */
  async function usableSheets(): Promise<Sheets | undefined> {
    opened ??= openSheets()
    const mine = opened
    return mine.catch(() => {
      if (opened === mine) opened = undefined
      return undefined
    })
  }

  return {
    async keep(record, place) {
      const sheets = await usableSheets()
      if (!sheets || closing.signal.aborted || (sheets.current.taken >= full && !changePlaces(sheets)))
        return false
      const sheet = sheets.current
      if (sheet.taken === 0) {
        sheet.failuresBefore = failures.count()
        changeLater(sheets)
      }
      const placed = sheet.write(record).then(place)
      sheet.running.add(placed)
      try {
        await placed
        return true
      } catch (error) {
        if (error instanceof JournalRemoved) return false
        throw error
      } finally {
        sheet.running.delete(placed)
      }
    },

    has: name => both !== undefined && (both.current.names.has(name) || both.spare.names.has(name)),

    trouble: () => trouble,

    async close() {
      closing.abort()
      const sheets = await opened?.catch(() => {})
      if (!sheets) return
      await carrying
      if (!trouble && sheets.current.taken > 0) changePlaces(sheets)
      await carrying
      clearTimeout(timer)
      await Promise.all([sheets.current.close(), sheets.spare.close()])
      if (trouble) throw trouble
    },
  }
}

export interface JournalFile extends DecodedJournal {
  file: string
  /** No record of this cycle is older, in milliseconds; infinite for a cycle without records. */
  since: number
}

/** The journals in the folder of an exited process. */
export async function* journaled(folder: string): AsyncGenerator<JournalFile> {
  const names = (await readdir(longPath(folder)).catch(ignoreAbsence)) ?? []
  for (const name of names.filter(name => name.endsWith(JOURNAL_END))) {
    const file = join(folder, name)
    const facts = await stat(longPath(file)).catch(ignoreAbsence)
    const bytes = facts?.size && (await Bun.file(longPath(file)).bytes().catch(ignoreAbsence))
    if (!bytes) continue
    const decoded = decodeRecords(bytes)
    yield { file, since: sinceOf(decoded, facts.mtimeMs), ...decoded }
  }
}

function sinceOf({ begunAt, records }: DecodedJournal, lastWrite: number): number {
  const times = records.map(({ writtenAt }) => writtenAt)
  if (begunAt === null) return Math.min(lastWrite, ...times) - LONGEST_CYCLE
  return Math.min(begunAt || Number.POSITIVE_INFINITY, ...times)
}
