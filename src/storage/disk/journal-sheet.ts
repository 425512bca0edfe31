/** One of the two files of a journal. Records that arrive together share one write and flush. */
import { close, constants, fstatSync, ftruncate, open, write } from 'node:fs'
import { promisify } from 'node:util'
import type { NewId } from '../../base/ids.ts'
import { asStorageError } from '../local/scratch.ts'
import { BEGINNING, BLOCK, decodeRecords, encodeRecord, type JournalRecord } from './journal-record.ts'

/** Maximum records in one write. */
const GROUP = 64

/** A write flushes by itself (`O_DSYNC`), which saves a second call on another thread. */
const FLUSHED_WHEN_WRITTEN = constants.O_RDWR | constants.O_CREAT | constants.O_DSYNC

const opening = promisify(open) as (file: string, flags: number) => Promise<number>
const writing = promisify(write) as (
  ...parameters: [file: number, bytes: Uint8Array, from: number, length: number, position: number]
) => Promise<{ bytesWritten: number }>

const truncating = promisify(ftruncate) as (file: number, length: number) => Promise<void>

export const openSheet = async (file: string, newId: NewId) =>
  new Sheet(file, newId, await opening(file, FLUSHED_WHEN_WRITTEN))

interface Waiting extends PromiseWithResolvers<void> {
  content: JournalRecord
}

/** The journal file was deleted: what is written to it could not be recovered. */
export class JournalRemoved extends Error {}

export class Sheet {
  /** Bytes of this cycle, written or about to be, rounded up. */
  taken = 0
  /** Failed flushes of the file system when this cycle began. */
  failuresBefore = 0
  /** The names of this cycle. */
  readonly names = new Set<string>()
  /** Pending work on records of this cycle. */
  readonly running = new Set<Promise<void>>()
  readonly #file: string
  readonly #newId: NewId
  readonly #opened: number
  readonly #waiting: Waiting[] = []
  #isWriting = false
  #cycle: string
  #end = 0
  /** Whether anything was written in this cycle, even part of a failed write. */
  #isWritten = false
  #hasFailed = false

  constructor(file: string, newId: NewId, opened: number) {
    this.#file = file
    this.#newId = newId
    this.#opened = opened
    this.#cycle = newId()
  }

  /** Resolves when the record is flushed. */
  write(content: JournalRecord): Promise<void> {
    const waiting = { content, ...Promise.withResolvers<void>() }
    this.taken += content.bytes.length + BLOCK
    this.names.add(content.name)
    this.#waiting.push(waiting)
    if (!this.#isWriting) void this.#writeWaiting()
    return waiting.promise
  }

  async #writeWaiting(): Promise<void> {
    this.#isWriting = true
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, GROUP)
      const records = Buffer.concat([
        ...(this.#end === 0 ? [this.#beginning(group[0]!.content.writtenAt)] : []),
        ...group.map(({ content }) => encodeRecord(content, this.#cycle)),
      ])
      const position = this.#end
      // Also on failure: a second write to the same blocks may seem to be flushed without being so (decision
      // 0036).
      this.#end += records.length
      try {
        await this.#writeAt(position, records)
        if (fstatSync(this.#opened).nlink === 0) throw new JournalRemoved(`${this.#file} was removed`)
        for (const { resolve } of group) resolve()
      } catch (error) {
        this.#hasFailed = true
        for (const { reject } of group) reject(asStorageError(error))
      }
    }
    this.#isWriting = false
  }

  #beginning = (writtenAt = 0) => encodeRecord({ ...BEGINNING, writtenAt }, this.#cycle)

  async #writeAt(position: number, bytes: Uint8Array): Promise<void> {
    let written = 0
    while (written < bytes.length) {
      const left = bytes.length - written
      written += (await writing(this.#opened, bytes, written, left, position + written)).bytesWritten
      this.#isWritten = true
    }
  }

  records = async (): Promise<JournalRecord[]> => decodeRecords(await Bun.file(this.#file).bytes()).records

  /** Drops the records and begins a new cycle. */
  async clear(): Promise<void> {
    // Frees the blocks that could not be written.
    if (this.#hasFailed && fstatSync(this.#opened).size > 0) await truncating(this.#opened, 0)
    this.#cycle = this.#newId()
    this.#end = 0
    // An unwritten journal has no block yet, and gets none on a full disk.
    if (this.#isWritten && !this.#hasFailed) await this.#writeAt(0, this.#beginning())
    this.#isWritten = false
    this.#hasFailed = false
    this.taken = 0
    this.names.clear()
  }

  close = () => promisify(close)(this.#opened)
}
