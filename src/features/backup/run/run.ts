/**
 * One backup run: writes the archive, reads it back, names it, copies it to the second target, compares the
 * copy, and removes old archives. A failure at the second target does not cost the archive at the first.
 */
import { realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { NewId } from '../../../base/ids.ts'
import type { BackupReport, BackupStep } from '../../../contract/service/backup.ts'
import { WARNINGS, type WarningCode } from '../../../contract/service/warnings.ts'
import { BackupTrouble, backupTrouble } from '../../../errors/errors.ts'
import { isForeignPath, longPath } from '../../../storage/local/platform.ts'
import { diskSpace } from '../../../storage/local/space.ts'
import { archiveName, parseArchiveName } from '../archive/archive-name.ts'
import { openArchive } from '../archive/archive-reader.ts'
import { verifyArchive } from '../archive/verify.ts'
import { type WriteArchiveParts, writeArchive } from '../archive/write-archive.ts'
import { archivesIn, type FoundArchive, partFile, preparePlace, publish, thinOut } from '../places/place.ts'
import type { ListArchives } from '../places/place-look.ts'
import { foldersOf, type Targets } from '../places/targets.ts'
import { estimateBytes, lastGoodAt } from './backup.store.ts'
import { copyAndCompare } from './copy.ts'
import { warningsAfter } from './warnings.ts'

/** Warnings after which it is unknown whether the second target is on a disk of its own. */
const SHARED_DISK = ['targets-on-one-disk', 'target-disks-unknown'] as const

export interface RunParts extends WriteArchiveParts {
  newId: NewId
  /** The warnings that apply to these targets. */
  warningsFor: (targets: Targets) => Promise<WarningCode[]>
  /** Called before a target is used: a direct call to a share whose server is gone would never return. */
  listArchives: ListArchives
}

export interface RunWatch {
  /** Only the rows: the bytes stay in the object store, which has its own copies. */
  onlyList: boolean
  signal: AbortSignal
  /** Bytes processed by all steps together. */
  onProgress: (step: BackupStep, done: number, total: number) => void
}

export type RunReport = Omit<BackupReport, 'zeit'>

/** Rejects with `BackupTrouble` if no archive was made. Any other problem is in the report. */
export async function runBackup(parts: RunParts, targets: Targets, watch: RunWatch): Promise<RunReport> {
  const { first, second, keep } = targets
  // Before anything is written: on this machine a foreign path would become a folder of that very name, in
  // the working directory.
  if (targets.unset) throw backupTrouble.targetUnset()
  if (isForeignPath(first)) throw backupTrouble.targetForeign(first)
  if (second !== null && isForeignPath(second)) throw backupTrouble.secondForeign(second)
  const needed = await estimateBytes(parts.database.read, watch.onlyList)
  const meter = createMeter(needed * (second === null ? 2 : 4), watch)
  if ((await parts.listArchives(first)) === null) throw backupTrouble.targetSilent(first)
  await prepare(first, needed, backupTrouble.targetUnusable, backupTrouble.targetFull)
  // The second target is checked before the long work begins; its problem is reported at the end.
  const secondTrouble = second === null ? null : await troubleAt(parts, targets, needed)

  const made = await makeArchive(parts, first, meter)
  await thinOut(first, keep, made.name)
  const troubles: BackupTrouble[] = []
  if (!made.complete) troubles.push(backupTrouble.incomplete(made.missing, made.altered, made.unusable))
  let places = 1
  if (second !== null) {
    // Checked again: the archive at the first target may have taken the space.
    const trouble =
      secondTrouble ??
      (await troubleAt(parts, targets, made.bytes)) ??
      (await copyTo(second, join(first, made.name), made.name, parts.newId(), meter))
    if (trouble) troubles.push(trouble)
    else {
      places++
      await thinOut(second, keep, made.name)
    }
  }
  const found = await Promise.all(foldersOf(targets).map(parts.listArchives))
  return {
    ok: troubles.length === 0,
    ...(second !== null && { zweit: true as const }),
    archiv: made.name,
    bytes: made.bytes,
    orte: places,
    ...(await warningsAfter(found, parts, targets)),
    ...(troubles.length > 0 && {
      fehler: troubles.map(({ sentence }) => sentence).join(' '),
      fehler_codes: troubles.map(({ code }) => code),
    }),
  }
}

type Meter = ReturnType<typeof createMeter>

function createMeter(estimate: number, { signal, onlyList, onProgress }: RunWatch) {
  let done = 0
  let step: BackupStep = 'schreiben'
  return {
    signal,
    onlyList,
    step(next: BackupStep) {
      step = next
    },
    onBytes(count: number) {
      done += count
      onProgress(step, done, Math.max(done, estimate))
    },
  }
}

async function prepare(
  folder: string,
  needed: number,
  unusable: (folder: string, error: unknown) => BackupTrouble,
  full: (folder: string, needed: number, free: number) => BackupTrouble,
): Promise<void> {
  await preparePlace(folder).catch(error => {
    throw unusable(folder, error)
  })
  const space = await diskSpace(folder)
  if (space && space.free < needed) throw full(folder, needed, space.free)
}

/** Why the second target cannot be used, as far as this can be known in advance. */
async function troubleAt(parts: RunParts, targets: Targets, needed: number): Promise<BackupTrouble | null> {
  const { first, second } = targets
  const found = await parts.listArchives(second!)
  if (found === null) return backupTrouble.secondSilent(second!)
  if (await isUnmounted(parts, targets, found)) return backupTrouble.secondUnmounted(second!)
  try {
    await prepare(second!, needed, backupTrouble.secondUnusable, backupTrouble.secondFull)
    // By real paths: through a link, a copy of the archive onto itself would look like a second target.
    const same = (await realpath(first)) === (await realpath(second!))
    return same ? backupTrouble.sameFolder(second!) : null
  } catch (error) {
    if (error instanceof BackupTrouble) return error
    throw error
  }
}

/**
 * Whether the second target was on a disk that is no longer mounted: its folder is now on the disk of the
 * first target and has no archive of the last successful run.
 */
async function isUnmounted(
  { database, warningsFor }: RunParts,
  targets: Targets,
  found: readonly FoundArchive[],
): Promise<boolean> {
  const last = await lastGoodAt(database.read, targets.second!)
  if (!last || found.some(({ name }) => name === last.archiv)) return false
  const hadDiskOfItsOwn = !SHARED_DISK.some(code => last.warnungen.includes(WARNINGS[code]))
  return hadDiskOfItsOwn && (await warningsFor(targets)).includes('targets-on-one-disk')
}

async function makeArchive(parts: RunParts, folder: string, meter: Meter) {
  const { signal, onlyList, onBytes } = meter
  const part = partFile(folder, parts.newId())
  const at = parts.now()
  try {
    const written = await writeArchive(parts, { file: part, signal, onlyList, onBytes })
    meter.step('pruefen')
    await readBack(part, meter)
    const { missing, altered, unusable } = written
    const complete = missing.count + altered.count + unusable.count === 0
    const name = await freeName(folder, at, complete)
    await publish(folder, part, name)
    return { ...written, name, complete }
  } catch (error) {
    await rm(longPath(part), { force: true }).catch(() => {})
    signal.throwIfAborted()
    throw error instanceof BackupTrouble || !isSystemError(error)
      ? error
      : backupTrouble.targetUnusable(folder, error)
  }
}

/** Uses the same code as a restore, so every named archive can be restored. */
async function readBack(file: string, { signal, onBytes }: Meter): Promise<void> {
  await using archive = await openArchive(file)
  try {
    await verifyArchive(archive, { signal, onBytes })
  } catch (error) {
    signal.throwIfAborted()
    throw backupTrouble.unreadable(error)
  }
}

/**
 * A name that sorts after all other archives of the same second, even if some were thinned out: a reused
 * number would make the new archive look older.
 */
async function freeName(folder: string, at: number, complete: boolean): Promise<string> {
  const second = parseArchiveName(archiveName(at, { complete }))!.at
  const there = (await archivesIn(folder)).filter(archive => archive.at === second)
  return archiveName(at, { complete, again: Math.max(-1, ...there.map(({ again }) => again)) + 1 })
}

async function copyTo(
  folder: string,
  archive: string,
  name: string,
  id: string,
  meter: Meter,
): Promise<BackupTrouble | null> {
  meter.step('zweitziel')
  const part = partFile(folder, id)
  try {
    if (!(await copyAndCompare({ from: archive, to: part, signal: meter.signal, onBytes: meter.onBytes })))
      return backupTrouble.copyDiffers(folder)
    await publish(folder, part, name)
    return null
  } catch (error) {
    // The archive is at the first target all the same, so the error is returned for the report.
    if (error instanceof BackupTrouble) return error
    if (!isSystemError(error)) throw error
    return backupTrouble.secondUnusable(folder, error)
  }
}

const isSystemError = (error: unknown) => error instanceof Error && 'code' in error && 'syscall' in error
