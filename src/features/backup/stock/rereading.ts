/**
 * Reads the stock of a backup target again, a part per run, so that damage is found while another copy
 * exists. With daily runs each of its 256 folders and each archive is read every 25 days.
 */
import { z } from 'zod'
import { inBatches } from '../../../base/batches.ts'
import { WHOLE_FORMAT } from '../../../contract/upload/archive.ts'
import { DAY } from '../../../contract/values/units.ts'
import { BackupTrouble } from '../../../errors/errors.ts'
import { readManifest, verifyArchive } from '../archive/verify.ts'
import { isBatchFull, type OperationOptions, type Place } from '../places/place.ts'
import { digestOf } from '../places/write-and-compare.ts'

/**
 * Days after which a folder or archive is read again. Less than the promised 30: a daily run may be late, or
 * missed for some days.
 */
const DUE_DAYS = 25
const DUE = DUE_DAYS * DAY
const FOLDERS = Array.from({ length: 256 }, (_, at) => at.toString(16).padStart(2, '0'))

const times = z.array(z.tuple([z.string(), z.number()])).transform(pairs => new Map(pairs))
const note = z.object({
  /** When each folder was last read, and each archive, in Unix milliseconds. */
  ordner: times,
  archive: times,
  /** The checksums of damaged contents of which no good copy was found yet. */
  beschaedigt: z.array(z.string()),
})
type Note = z.infer<typeof note>

export interface RereadResult {
  /** Damaged contents, also those found earlier. */
  damaged: Set<string>
  /** Names of damaged archives. */
  archives: string[]
}

export async function rereadDueParts(
  place: Place,
  now: number,
  options: OperationOptions,
): Promise<RereadResult> {
  const read = await readNote(place, now)
  const damaged = new Set(read.beschaedigt)
  const archives = await rereadArchives(place, read, now, options)
  try {
    for (const folder of FOLDERS) {
      const last = read.ordner.get(folder)!
      if (last <= now && now - last < DUE) continue
      for (const sha256 of await damagedIn(place, folder, options)) damaged.add(sha256)
      read.ordner.set(folder, now)
    }
  } finally {
    // The note is written even if the run is stopped. At the first run of a target there is no archive and
    // nothing to record yet.
    if (read.archive.size > 0) await writeNote(place, { ...read, beschaedigt: [...damaged] })
  }
  return { damaged, archives }
}

/** Records which contents are still damaged. */
export async function noteDamaged(place: Place, damaged: ReadonlySet<string>, now: number): Promise<void> {
  await writeNote(place, { ...(await readNote(place, now)), beschaedigt: [...damaged] })
}

const writeNote = (place: Place, { ordner, archive, ...rest }: Note) =>
  place.writeNote(`${JSON.stringify({ ordner: [...ordner], archive: [...archive], ...rest })}\n`)

/**
 * Folders that the note does not have yet get made-up times, spread over the whole period, so that not all of
 * them are due on the same day.
 */
async function readNote(place: Place, now: number): Promise<Note> {
  const found = parsed(await place.readNote())
  for (const [at, folder] of FOLDERS.entries())
    if (!found.ordner.has(folder)) found.ordner.set(folder, now - Math.floor((DUE * at) / FOLDERS.length))
  return found
}

function parsed(text: string | null): Note {
  try {
    return note.parse(JSON.parse(text ?? ''))
  } catch {
    return { ordner: new Map(), archive: new Map(), beschaedigt: [] }
  }
}

async function damagedIn(place: Place, folder: string, options: OperationOptions): Promise<string[]> {
  const damaged: string[] = []
  const entries = (async function* () {
    for await (const page of place.contents(folder)) yield* page
  })()
  for await (const some of inBatches(entries, isBatchFull))
    await Promise.all(
      some.map(async ({ sha256 }) => {
        if (!(await isIntact(place, sha256, options))) damaged.push(sha256)
      }),
    )
  return damaged
}

/** Reads a content again. False if it has another checksum, or cannot be read. */
export async function isIntact(place: Place, sha256: string, options: OperationOptions): Promise<boolean> {
  try {
    return (await digestOf(place.read(sha256), options)).sha256 === sha256
  } catch {
    options.signal.throwIfAborted()
    // A content that cannot be read is damaged; one that was removed meanwhile is not.
    return (await place.sizeOf(sha256)) === null
  }
}

/**
 * Verifies the archives that were read longest ago. Of archives that contain their files, which are large,
 * only the manifest is read.
 */
async function rereadArchives(
  place: Place,
  read: Note,
  now: number,
  options: OperationOptions,
): Promise<string[]> {
  const names = (await place.archives()).map(({ name }) => name)
  const last = (name: string) => read.archive.get(name) ?? 0
  const next = names.toSorted((a, b) => last(a) - last(b)).slice(0, Math.ceil(names.length / DUE_DAYS))
  const damaged: string[] = []
  for (const name of next) {
    try {
      await using archive = await place.openArchive(name)
      const { format } = await readManifest(archive)
      if (format !== WHOLE_FORMAT) await verifyArchive(archive, options)
      read.archive.set(name, now)
    } catch (error) {
      if (!(error instanceof BackupTrouble)) throw error
      damaged.push(name)
    }
  }
  for (const name of read.archive.keys()) if (!names.includes(name)) read.archive.delete(name)
  return damaged
}
