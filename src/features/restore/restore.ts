/**
 * Restores an archive as an instance. The archive is verified from the first byte to the last before anything is
 * touched. The instance is made in a folder of its own and put in its place at the end (`swap.ts`).
 */
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Manifest } from '../../contract/archive.ts'
import type { Queries } from '../../database/database.ts'
import { MIGRATION_NAMES } from '../../database/migrate.ts'
import { holdAlone, mayHoldRows } from '../../database/sqlite-alone.ts'
import { DATABASE_FILE } from '../../database/sqlite-file.ts'
import { loadSqlite } from '../../database/sqlite-load.ts'
import { SQLITE_QUERIES } from '../../database/sqlite-traits.ts'
import { archiveTrouble, BackupTrouble, restoreTrouble } from '../../errors.ts'
import type { NewId } from '../../ids.ts'
import { createDiskStorage } from '../../storage/disk.ts'
import { exists, nearestExisting } from '../../storage/exists.ts'
import { diskSpace } from '../../storage/space.ts'
import type { Storage } from '../../storage/storage.ts'
import { type ArchiveFile, contentOf, endOf, entriesOf, openArchive } from '../backup/archive-reader.ts'
import type { FileTable } from '../backup/tables.ts'
import type { ReadEntry } from '../backup/tar.ts'
import { verifyArchive } from '../backup/verify.ts'
import { continueNumbers, correctSize, fileRows, insertRows, isFileTable, tableOf } from './rows.ts'
import { declareComplete, partFolder, removeParts, takePlace } from './swap.ts'

export interface RestoreParts {
  newId: NewId
  now: () => number
  onProgress: (done: number, total: number) => void
}

export interface Restored {
  manifest: Manifest
  /** Paths of files that were missing (`missing`), or not as recorded (`altered`), when the archive was made. */
  missing: string[]
  altered: string[]
  /**
   * Paths of files whose row was wrong in the archive: their type, kind or size is now what the name and the bytes say.
   */
  mended: string[]
  /** The folder that holds the earlier state of the data folder; null when there was no earlier state. */
  before: string | null
}

/** Verifies an archive without touching anything. */
export async function checkArchive(file: string, onProgress: RestoreParts['onProgress']): Promise<Manifest> {
  const archive = await openArchive(file)
  try {
    return await verified(archive, createMeter(archive.size, onProgress))
  } finally {
    await archive.close()
  }
}

export async function restoreArchive(
  parts: RestoreParts,
  options: { file: string; dataDir: string; force: boolean },
): Promise<Restored> {
  const { file, dataDir, force } = options
  const archive = await openArchive(file)
  const meter = createMeter(2 * archive.size, parts.onProgress)
  try {
    // A restore that would be refused anyway is refused before the long check of the archive.
    if (!force && (await isOccupied(dataDir))) throw restoreTrouble.occupied(dataDir)
    const hold = await holdDatabase(dataDir)
    try {
      await makeRoom(dataDir, archive.size)
      const manifest = await verified(archive, meter)
      const damage = await make(parts, archive, manifest, { dataDir, onBytes: meter })
      hold?.release()
      // There was no database to hold at the start, so a service may have been started on the empty folder meanwhile.
      if (!hold && (await exists(join(dataDir, DATABASE_FILE)))) throw restoreTrouble.running(dataDir)
      await declareComplete(dataDir, damage.part)
      const before = await takePlace(dataDir, parts.now())
      const { missing, altered, mended } = damage
      return { manifest, missing, altered, mended, before: before || null }
    } finally {
      hold?.release()
    }
  } finally {
    await archive.close()
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
 * Whether the data folder holds anything that somebody would miss. A database in which nothing was ever stored does not
 * count.
 */
export async function isOccupied(dataDir: string): Promise<boolean> {
  for (const folder of ['files', 'trash']) {
    const names = await readdir(join(dataDir, folder)).catch(() => [])
    if (names.length > 0) return true
  }
  const file = join(dataDir, DATABASE_FILE)
  return (await exists(file)) && mayHoldRows(file, ['media', 'trash', 'token', 'account'])
}

/** Holds the database so that no other process can use it; null when there is no database to hold. */
async function holdDatabase(dataDir: string) {
  const file = join(dataDir, DATABASE_FILE)
  if (!(await exists(file))) return null
  const hold = holdAlone(file)
  if (!hold) throw restoreTrouble.running(dataDir)
  return hold
}

/**
 * Removes the leftovers of dead restores and checks the free space. This happens before the long check of the archive:
 * space that is short now will be short after the check too. The data folder itself is not created yet.
 */
async function makeRoom(dataDir: string, needed: number): Promise<void> {
  try {
    if (await exists(dataDir)) await removeParts(dataDir)
  } catch (error) {
    throw restoreTrouble.unusable(dataDir, error)
  }
  const space = await diskSpace(await nearestExisting(dataDir))
  if (space && space.free < needed) throw restoreTrouble.full(dataDir, needed, space.free)
}

interface Made {
  part: string
  missing: string[]
  altered: string[]
  mended: string[]
}

/** Makes the whole instance in a folder of its own. On failure nothing of that folder is left. */
async function make(
  { newId }: RestoreParts,
  archive: ArchiveFile,
  manifest: Manifest,
  { dataDir, onBytes }: { dataDir: string; onBytes: (count: number) => void },
): Promise<Made> {
  const part = partFolder(dataDir, newId())
  try {
    await mkdir(part, { recursive: true })
    const { tables, after } = await tablesOf(archive, manifest)
    const storage = await createDiskStorage({ root: part, newId })
    const damage = { missing: [] as string[], altered: [] as string[], mended: [] as string[] }
    await loadSqlite({ file: join(part, DATABASE_FILE), migrations: manifest.schema }, async tx => {
      for (const [table, entry] of tables) {
        await insertRows(tx, archive, table, entry)
        onBytes(entry.size)
      }
      await continueNumbers(tx, SQLITE_QUERIES, manifest.zaehler)
      await storeFiles(tx)
    })
    return { part, ...damage }

    async function storeFiles(tx: Queries): Promise<void> {
      const entries = entriesOf(archive, after, manifest.pruefsummen_ab)
      let entry = (await entries.next()).value
      for (const [table, rows] of tables) {
        if (!isFileTable(table)) continue
        for await (const row of fileRows(archive, table, rows)) {
          // The file of this row has no entry: it was missing when the archive was made, and is missing again now.
          if (entry?.name !== row.entry) damage.missing.push(row.path)
          else {
            const intact = (await store(storage, contentOf(archive, entry), row.object)) === row.sha256
            if (!intact) damage.altered.push(row.path)
            // The bytes are the recorded ones, so if the row has another length, the row was wrong before the backup.
            const resized = intact && entry.size !== row.size
            if (resized) await correctSize(tx, table, row.nr, entry.size)
            if (resized || row.mended) damage.mended.push(row.path)
            onBytes(entry.size)
            entry = (await entries.next()).value
          }
        }
      }
      if (entry) throw archiveTrouble.nameForeign(entry.name)
    }
  } catch (error) {
    await rm(part, { recursive: true, force: true })
    if (error instanceof BackupTrouble) throw error
    throw error instanceof Error && 'code' in error ? restoreTrouble.unusable(dataDir, error) : error
  }
}

/** Returns the SHA-256 of the stored bytes. */
async function store(storage: Storage, content: AsyncIterable<Uint8Array>, object: string): Promise<string> {
  const staging = await storage.stage()
  try {
    const hash = new Bun.CryptoHasher('sha256')
    for await (const chunk of content) {
      hash.update(chunk)
      await staging.write(chunk)
    }
    await storage.commit(staging, object)
    return hash.digest('hex')
  } finally {
    await staging.discard()
  }
}

type Tables = Map<NonNullable<ReturnType<typeof tableOf>> | FileTable, ReadEntry>

/** Finds where each table lies in the archive, and where the files begin. */
async function tablesOf(
  archive: ArchiveFile,
  manifest: Manifest,
): Promise<{ tables: Tables; after: number }> {
  const tables: Tables = new Map()
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
