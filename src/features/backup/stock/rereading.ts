/**
 * Reads the content store and the archives of a backup target again, a part of them in each run, so that
 * damage is found while another copy exists. With daily runs, each archive and each of the 256 folders of the
 * content store is read about every 25 days.
 */
import { z } from 'zod'
import { streamBatches } from '../../../base/batches.ts'
import { WHOLE_ARCHIVE_FORMAT } from '../../../contract/service/backup-archive.ts'
import { DAY } from '../../../contract/values/units.ts'
import { BackupTrouble } from '../../../errors/errors.ts'
import { readManifest, verifyArchive } from '../archive/verify.ts'
import { type FoundArchive, isBatchFull, type OperationOptions, type Place } from '../places/place.ts'
import { digestOf } from '../places/write-and-compare.ts'

/**
 * Days after which a folder or archive is read again. Less than the documented 30, because a daily run may be
 * late, or missed for some days.
 */
const REREAD_DAYS = 25
const REREAD_INTERVAL = REREAD_DAYS * DAY
const CONTENT_FOLDERS = Array.from({ length: 256 }, (_, index) => index.toString(16).padStart(2, '0'))

const timesByNameSchema = z.array(z.tuple([z.string(), z.number()])).transform(pairs => new Map(pairs))
const noteSchema = z.object({
  /** When each folder of the content store, and each archive, was last read (Unix milliseconds). */
  ordner: timesByNameSchema,
  archive: timesByNameSchema,
  /** The checksums of damaged contents that have not been repaired yet. */
  beschaedigt: z.array(z.string()),
})
type RereadNote = z.infer<typeof noteSchema>

export interface RereadResult {
  /** The checksums of damaged contents, including those that earlier runs found and could not repair. */
  damagedContents: Set<string>
  /** Names of damaged archives. */
  damagedArchives: string[]
}

export async function rereadDueParts(
  place: Place,
  now: number,
  options: OperationOptions,
): Promise<RereadResult> {
  const rereadNote = await readNote(place, now)
  const damagedChecksums = new Set(rereadNote.beschaedigt)
  const damagedArchives = await rereadArchives(place, rereadNote, now, options)
  try {
    for (const folder of CONTENT_FOLDERS) {
      const lastReadAt = rereadNote.ordner.get(folder)!
      if (lastReadAt <= now && now - lastReadAt < REREAD_INTERVAL) continue
      for (const sha256 of await findDamagedContents(place, folder, options)) damagedChecksums.add(sha256)
      rereadNote.ordner.set(folder, now)
    }
  } finally {
    // The note is written even if the run is stopped. In the first run for a target, there is no archive and
    // nothing to record yet.
    if (rereadNote.archive.size > 0)
      await writeNote(place, { ...rereadNote, beschaedigt: [...damagedChecksums] })
  }
  return { damagedContents: damagedChecksums, damagedArchives }
}

/** Records in the note of the target (`Place.readNote`) which contents are still damaged. */
export async function recordDamagedContents(
  place: Place,
  damagedChecksums: ReadonlySet<string>,
  now: number,
): Promise<void> {
  await writeNote(place, { ...(await readNote(place, now)), beschaedigt: [...damagedChecksums] })
}

const writeNote = (place: Place, { ordner, archive, ...rest }: RereadNote) =>
  place.writeNote(`${JSON.stringify({ ordner: [...ordner], archive: [...archive], ...rest })}\n`)

/**
 * Reads the note of the target. Folders that it does not contain yet get invented times, spread over the
 * whole interval, so that they do not all become due on the same day.
 */
async function readNote(place: Place, now: number): Promise<RereadNote> {
  const rereadNote = parseNote(await place.readNote())
  for (const [index, folder] of CONTENT_FOLDERS.entries())
    if (!rereadNote.ordner.has(folder))
      rereadNote.ordner.set(folder, now - Math.floor((REREAD_INTERVAL * index) / CONTENT_FOLDERS.length))
  return rereadNote
}

function parseNote(text: string | null): RereadNote {
  try {
    return noteSchema.parse(JSON.parse(text ?? ''))
  } catch {
    return { ordner: new Map(), archive: new Map(), beschaedigt: [] }
  }
}

async function findDamagedContents(
  place: Place,
  folder: string,
  options: OperationOptions,
): Promise<string[]> {
  const damagedChecksums: string[] = []
  const entries = (async function* () {
    for await (const page of place.contents(folder)) yield* page
  })()
  for await (const batch of streamBatches(entries, isBatchFull))
    await Promise.all(
      batch.map(async ({ sha256 }) => {
        if (!(await isContentIntact(place, sha256, options))) damagedChecksums.push(sha256)
      }),
    )
  return damagedChecksums
}

/**
 * Reads a stored content again. Returns false if its checksum is wrong or it cannot be read, and true if it
 * is intact or was removed meanwhile.
 */
export async function isContentIntact(
  place: Place,
  sha256: string,
  options: OperationOptions,
): Promise<boolean> {
  try {
    return (await digestOf(place.read(sha256), options)).sha256 === sha256
  } catch {
    options.signal.throwIfAborted()
    return (await place.sizeOf(sha256)) === null
  }
}

/**
 * Verifies the archives whose last verification was the longest ago, and returns the names of the damaged
 * ones. The number to verify is that of all archives divided by `REREAD_DAYS` (rounded up). Damaged archives
 * do not count towards it and are verified in every run, so that they are reported until they are repaired.
 * Archives that contain their files are large, so only their manifest is read.
 */
async function rereadArchives(
  place: Place,
  rereadNote: RereadNote,
  now: number,
  options: OperationOptions,
): Promise<string[]> {
  const archives = await place.archives()
  // An archive was verified when it was made. If that time is in the future, the clock was wrong, so the
  // archive is verified first.
  const lastReadAt = ({ name, createdAt: at }: FoundArchive) =>
    rereadNote.archive.get(name) ?? (at > now ? 0 : at)
  let remainingCount = Math.ceil(archives.length / REREAD_DAYS)
  const damagedArchives: string[] = []
  for (const { name } of archives.toSorted((a, b) => lastReadAt(a) - lastReadAt(b))) {
    if (remainingCount === 0) break
    try {
      await using archive = await place.openArchive(name)
      const { format } = await readManifest(archive)
      if (format !== WHOLE_ARCHIVE_FORMAT) await verifyArchive(archive, options)
      rereadNote.archive.set(name, now)
      remainingCount--
    } catch (error) {
      if (!(error instanceof BackupTrouble)) throw error
      // The time of its last verification is not updated, so the next run verifies it again.
      damagedArchives.push(name)
    }
  }
  const names = new Set(archives.map(({ name }) => name))
  for (const name of rereadNote.archive.keys()) if (!names.has(name)) rereadNote.archive.delete(name)
  return damagedArchives
}
