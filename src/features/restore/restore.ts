/**
 * Restores an archive as an instance. The archive is verified completely before anything is touched. The new
 * instance is made beside the current one and takes its place at the end (`database/replacement.ts`).
 */
import { batches, inBatches } from '../../base/batches.ts'
import { sha256, sha256Of } from '../../base/hash/sha256.ts'
import type { Manifest } from '../../contract/upload/archive.ts'
import { DatabaseInUse, type NewInstance, type NewRows } from '../../database/replacement.ts'
import { archiveTrouble, BackupTrouble, restoreRefusal, restoreTrouble } from '../../errors/errors.ts'
import type { Storage } from '../../storage/storage.ts'
import { entriesOf } from '../backup/archive/archive-reader.ts'
import type { FileTable } from '../backup/archive/tables.ts'
import type { ReadEntry } from '../backup/archive/tar.ts'
import { readManifest } from '../backup/archive/verify.ts'
import { type ArchiveAddress, type ArchiveSource, openSource, verifiedManifest } from './archive-source.ts'
import { openFiles } from './file-source.ts'
import {
  AS_RECORDED,
  BATCH,
  continueNumbers,
  filesIn,
  insertReadRows,
  isFileTable,
  type KnownTable,
  nameByPath,
  type ReadFile,
  rowsIn,
  tableOf,
} from './rows.ts'

/** Number of objects looked up concurrently. */
const CONCURRENT_LOOKUPS = 32

export interface RestoreParts {
  /**
   * Begins to replace the instance; rejects with `DatabaseInUse`. `attempt` identifies the archive, so that a
   * restore that is started again after a kill finds the files it had stored.
   */
  begin: (attempt: string) => Promise<NewInstance>
  onProgress: (done: number, total: number) => void
}

export interface RestoreResult {
  manifest: Manifest
  /** The archive that was restored: of a folder, the newest complete one. */
  file: string
  /**
   * Files whose bytes were missing when the archive was made. For an archive without bytes: files whose
   * objects are missing in the store.
   */
  missing: string[]
  /** Files whose bytes did not match their SHA-256 already when the archive was made. */
  altered: string[]
  /** Files whose row was wrong in the archive: type, kind or size are now what name and bytes say. */
  corrected: string[]
  /** Number of files that an interrupted restore of this archive had stored already. */
  resumed: number
  /** Where the replaced instance was kept: a folder or a schema; null if there was none. */
  before: string | null
}

/** Verifies an archive and its contents without touching anything. */
export async function checkArchive(
  path: ArchiveAddress,
  onProgress: RestoreParts['onProgress'],
): Promise<Pick<RestoreResult, 'manifest' | 'file'>> {
  await using source = await openSource(path)
  const manifest = await verifiedManifest(source, createMeter(source.bytes, onProgress))
  return { manifest, file: source.file }
}

export interface RestoreOptions {
  path: ArchiveAddress
  /** Location of the instance, for messages. */
  place: string
  /** Whether to restore even if there is an instance already. */
  force: boolean
  /** Whether to restore an archive without bytes even if the store lacks objects that its rows refer to. */
  incomplete?: boolean
}

export async function restoreArchive(
  { begin, onProgress }: RestoreParts,
  { path, place, force, incomplete = false }: RestoreOptions,
): Promise<RestoreResult> {
  await using source = await openSource(path)
  const { file, bytes } = source
  try {
    const instance = await begin(await attemptOf(source))
    try {
      // A restore that would be refused anyway is refused before the long verification.
      if (!force && (await isOccupied(instance))) throw restoreRefusal.occupied(place)
      const free = await instance.freeBytes()
      if (free !== null && free < bytes) throw restoreTrouble.full(place, bytes, free)
      const onBytes = createMeter(2 * bytes, onProgress)
      const manifest = await verifiedManifest(source, onBytes)
      const report = await instance.load(manifest.schema, into => fill(into, source, manifest, onBytes))
      if (manifest.nur_liste && report.missing.length > 0 && !incomplete)
        throw restoreTrouble.objectsMissing(place, report.missing)
      return { manifest, file, ...report, before: await instance.swap() }
    } finally {
      await instance.release()
    }
  } catch (error) {
    if (error instanceof DatabaseInUse)
      throw force || error.by ? restoreRefusal.running(place, error.by) : restoreRefusal.occupied(place)
    if (error instanceof BackupTrouble) throw error
    throw error instanceof Error && 'code' in error ? restoreTrouble.unusable(place, error) : error
  }
}

function createMeter(total: number, onProgress: RestoreParts['onProgress']) {
  let done = 0
  return (count: number) => {
    done += count
    onProgress(Math.min(done, total), total)
  }
}

/**
 * Whether the instance has anything worth keeping, or cannot be read. An empty database is not worth keeping.
 */
export const isOccupied = async (instance: NewInstance) =>
  (await instance.liveHasObjects()) ||
  (await instance.liveHasRows(['media', 'trash', 'token', 'account'])) !== false

type LoadReport = Pick<RestoreResult, 'missing' | 'altered' | 'corrected' | 'resumed'>

/** Chooses the files whose contents a rehearsal restores; of all others it restores only the rows. */
export interface Sample {
  /** Whether the content of the next file, which has `size` bytes, is restored. */
  takes(size: number): boolean
  onStored(file: { name: string; object: string; sha256: string }): void
}

const ATTEMPT_LENGTH = 16
const attemptOf = async ({ archive }: ArchiveSource) =>
  sha256(JSON.stringify(await readManifest(archive))).slice(0, ATTEMPT_LENGTH)

/**
 * Inserts the rows and stores their bytes. The archive has all tables first, then the files in the order of
 * their rows. A row is written before its bytes: with several machines the rows say which objects an
 * interrupted restore has left.
 */
export async function fill(
  into: NewRows,
  source: ArchiveSource,
  manifest: Manifest,
  onBytes: (count: number) => void,
  sample?: Sample,
): Promise<LoadReport> {
  const { tx, storage } = into
  const { archive } = source
  const onlyList = manifest.nur_liste === true
  if (onlyList && storage.namesFollowPaths) throw restoreRefusal.onlyList()
  const objectNaming = onlyList ? AS_RECORDED : nameByPath(into)
  const report: LoadReport = { missing: [], altered: [], corrected: [], resumed: 0 }
  const entries = entriesOf(archive, manifest.pruefsummen_ab)
  const next = async (): Promise<ReadEntry | undefined> => (await entries.next()).value
  const { tables, first } = await tablesFrom(next)
  const contents = await openFiles(source, first, next)

  async function storeFile(table: FileTable, { row, entryName, isCorrected }: ReadFile): Promise<void> {
    const { nr, path, size, sha256: recorded, object } = row
    const found = await contents.take(entryName)
    if (!found) return void report.missing.push(path)
    if (sample && !sample.takes(found.size)) return
    // The new instance has its own folder: an object there was completely written by an interrupted attempt.
    const mayBeThere = storage.namesFollowPaths && found.sha256 === recorded
    const isThere = mayBeThere && (await storage.measure(object)) === found.size
    if (isThere) report.resumed++
    const stored = isThere ? recorded : await store(storage, found.content, object)
    sample?.onStored({ name: entryName, object, sha256: found.sha256 ?? stored })
    const intact = stored === recorded
    if (!intact) report.altered.push(path)
    // The SHA-256 matches, so if the length differs the row was wrong already before the backup.
    const resized = intact && found.size !== size
    if (resized) await tx.updateTable(table).set({ size: found.size }).where('nr', '=', nr).execute()
    if (resized || isCorrected) report.corrected.push(path)
    onBytes(found.size)
  }

  for (const [table, lines] of tables) {
    if (isFileTable(table))
      for await (const files of inBatches(filesIn(archive, table, lines, objectNaming), isFull)) {
        await insertReadRows(tx, table, files)
        if (onlyList) report.missing.push(...(await absent(storage, files)))
        else for (const file of files) await storeFile(table, file)
      }
    else
      for await (const rows of inBatches(rowsIn(archive, table, lines), isFull))
        await insertReadRows(tx, table, rows)
    onBytes(lines.size)
  }
  const rest = await contents.rest()
  if (rest !== undefined && !onlyList) throw archiveTrouble.nameForeign(rest)
  await continueNumbers(into, manifest.zaehler)
  return report
}

const isFull = ({ length }: readonly unknown[]) => length === BATCH

/** Reads the tables; `first` is the entry after them. */
export async function tablesFrom(next: () => Promise<ReadEntry | undefined>) {
  const tables = new Map<KnownTable, ReadEntry>()
  // The first entry is the manifest.
  await next()
  for (;;) {
    const entry = await next()
    const table = entry ? tableOf(entry) : null
    if (table === null) return { tables, first: entry }
    tables.set(table, entry!)
  }
}

/** Files whose object is missing in the store, or has another length than recorded. */
async function absent(storage: Storage, files: readonly ReadFile[]): Promise<string[]> {
  const missing: string[] = []
  for (const some of batches(files, CONCURRENT_LOOKUPS)) {
    const sizes = await Promise.all(some.map(({ row }) => storage.measure(row.object)))
    missing.push(...some.filter(({ row }, at) => sizes[at] !== row.size).map(({ row }) => row.path))
  }
  return missing
}

/** Stores a content as this object. Returns the SHA-256 of the stored bytes. */
export async function store(
  storage: Storage,
  content: AsyncIterable<Uint8Array>,
  object: string,
): Promise<string> {
  await using staging = await storage.stage()
  let size = 0
  const sha256 = await sha256Of(content, chunk => {
    size += chunk.length
    return staging.write(chunk)
  })
  await storage.commit(staging, object, { size, sha256 })
  return sha256
}
