/**
 * Restores an archive as an instance. The archive is verified from the first byte to the last before anything
 * is touched. The new instance is made beside the present one and takes its place at the end
 * (`database/replacement.ts`).
 */
import { collected } from '../../base/batches.ts'
import { sha256Of } from '../../base/hash/sha256.ts'
import type { Manifest } from '../../contract/upload/archive.ts'
import { MIGRATION_NAMES } from '../../database/migrate.ts'
import { DatabaseInUse, type NewInstance, type NewRows } from '../../database/replacement.ts'
import { archiveTrouble, BackupTrouble, restoreRefusal, restoreTrouble } from '../../errors/errors.ts'
import type { Storage } from '../../storage/storage.ts'
import {
  type ArchiveFile,
  contentOf,
  endOf,
  entriesOf,
  openArchive,
} from '../backup/archive/archive-reader.ts'
import type { FileTable } from '../backup/archive/tables.ts'
import type { ReadEntry } from '../backup/archive/tar.ts'
import { verifyArchive } from '../backup/archive/verify.ts'
import {
  AS_RECORDED,
  continueNumbers,
  correctSize,
  fileRows,
  insertRows,
  isFileTable,
  namedAnew,
  type ObjectNaming,
  tableOf,
} from './rows.ts'

/** How many objects are looked for at the same time. */
const LOOKS_AT_ONCE = 32

export interface RestoreParts {
  /** Begins to replace the instance; rejects with `DatabaseInUse`. */
  begin: () => Promise<NewInstance>
  onProgress: (done: number, total: number) => void
}

export interface Restored {
  manifest: Manifest
  /**
   * Paths of files that were missing (`missing`), or not as recorded (`altered`), when the archive was made.
   */
  missing: string[]
  altered: string[]
  /**
   * Paths of files whose row was wrong in the archive: their type, kind or size is now what the name and the
   * bytes say.
   */
  mended: string[]
  /** The name under which the earlier state is kept; null when there was no earlier state. */
  before: string | null
}

/** Verifies an archive without touching anything. */
export async function checkArchive(file: string, onProgress: RestoreParts['onProgress']): Promise<Manifest> {
  await using archive = await openArchive(file)
  return await verified(archive, createMeter(archive.size, onProgress))
}

export interface RestoreChoice {
  file: string
  /** Names the instance in sentences for the operator. */
  place: string
  /** Also when there is an instance already. */
  force: boolean
  /** Also when the store lacks objects that a list without bytes names. */
  incomplete?: boolean
}

export async function restoreArchive(
  { begin, onProgress }: RestoreParts,
  { file, place, force, incomplete = false }: RestoreChoice,
): Promise<Restored> {
  await using archive = await openArchive(file)
  try {
    const instance = await begin()
    try {
      // A restore that would be refused anyway is refused before the long check of the archive.
      if (!force && (await isOccupied(instance))) throw restoreRefusal.occupied(place)
      const free = await instance.freeBytes()
      if (free !== null && free < archive.size) throw restoreTrouble.full(place, archive.size, free)
      const onBytes = createMeter(2 * archive.size, onProgress)
      const manifest = await verified(archive, onBytes)
      const damage = await make(instance, archive, manifest, onBytes)
      if (manifest.nur_liste && damage.missing.length > 0 && !incomplete)
        throw restoreTrouble.objectsMissing(place, damage.missing)
      return { manifest, ...damage, before: await instance.swap() }
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

async function verified(archive: ArchiveFile, onBytes: (count: number) => void): Promise<Manifest> {
  const manifest = await verifyArchive(archive, { onBytes })
  const unknown = manifest.schema.filter(name => !MIGRATION_NAMES.includes(name))
  if (unknown.length > 0) throw archiveTrouble.schemaNewer(unknown)
  return manifest
}

/**
 * Whether the instance holds anything that somebody would miss, or cannot be read. A database in which
 * nothing was ever stored does not count.
 */
export const isOccupied = async (instance: NewInstance) =>
  (await instance.liveHasObjects()) ||
  (await instance.liveHasRows(['media', 'trash', 'token', 'account'])) !== false

type Damage = Pick<Restored, 'missing' | 'altered' | 'mended'>

async function make(
  instance: NewInstance,
  archive: ArchiveFile,
  manifest: Manifest,
  onBytes: (count: number) => void,
): Promise<Damage> {
  const { tables, after } = await tablesOf(archive, manifest)
  return instance.load(manifest.schema, async into => {
    if (manifest.nur_liste && into.storage.namesFollowPaths) throw restoreRefusal.onlyList()
    const named = manifest.nur_liste ? AS_RECORDED : namedAnew(into)
    for (const [table, entry] of tables) {
      await insertRows(into.tx, archive, table, entry, named)
      onBytes(entry.size)
    }
    await continueNumbers(into, manifest.zaehler)
    if (manifest.nur_liste) return { missing: await absent(into, archive, tables), altered: [], mended: [] }
    const entries = entriesOf(archive, after, manifest.pruefsummen_ab)
    return storeFiles(into, archive, { tables, entries, named, onBytes })
  })
}

/** The paths of files whose object is not in the store, or has another length than its row says. */
async function absent(
  { storage }: NewRows,
  archive: ArchiveFile,
  tables: Found['tables'],
): Promise<string[]> {
  const missing: string[] = []
  for (const [table, entry] of tables) {
    if (!isFileTable(table)) continue
    const rows = fileRows(archive, table, entry, AS_RECORDED)
    for await (const batch of collected(rows, ({ length }) => length === LOOKS_AT_ONCE)) {
      const sizes = await Promise.all(batch.map(({ object }) => storage.measure(object)))
      missing.push(...batch.filter(({ size }, at) => sizes[at] !== size).map(({ path }) => path))
    }
  }
  return missing
}

/** Stores the bytes of all files. The entries of the archive are in the order of the rows that own them. */
async function storeFiles(
  { tx, storage }: NewRows,
  archive: ArchiveFile,
  {
    tables,
    entries,
    named,
    onBytes,
  }: Pick<Found, 'tables'> & {
    entries: AsyncGenerator<ReadEntry>
    named: ObjectNaming
    onBytes: (count: number) => void
  },
): Promise<Damage> {
  const damage: Damage = { missing: [], altered: [], mended: [] }
  let entry = (await entries.next()).value
  for (const [table, rows] of tables) {
    if (!isFileTable(table)) continue
    for await (const row of fileRows(archive, table, rows, named)) {
      // The file of this row has no entry: it was missing when the archive was made, and is missing again
      // now.
      if (entry?.name !== row.entry) {
        damage.missing.push(row.path)
        continue
      }
      const intact = (await store(storage, contentOf(archive, entry), row.object)) === row.sha256
      if (!intact) damage.altered.push(row.path)
      // The bytes are the recorded ones, so if the row has another length, the row was wrong before the
      // backup.
      const resized = intact && entry.size !== row.size
      if (resized) await correctSize(tx, table, row.nr, entry.size)
      if (resized || row.mended) damage.mended.push(row.path)
      onBytes(entry.size)
      entry = (await entries.next()).value
    }
  }
  if (entry) throw archiveTrouble.nameForeign(entry.name)
  return damage
}

/** Returns the SHA-256 of the stored bytes. */
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

interface Found {
  tables: Map<NonNullable<ReturnType<typeof tableOf>> | FileTable, ReadEntry>
  /** Where the entries of the files begin. */
  after: number
}

async function tablesOf(archive: ArchiveFile, manifest: Manifest): Promise<Found> {
  const tables: Found['tables'] = new Map()
  let after = 0
  for await (const entry of entriesOf(archive, 0, manifest.pruefsummen_ab)) {
    if (after === 0) {
      // The first entry is the manifest.
      after = endOf(entry)
      continue
    }
    const table = tableOf(entry)
    if (table === null) break
    tables.set(table, entry)
    after = endOf(entry)
  }
  return { tables, after }
}
