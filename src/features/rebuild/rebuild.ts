/**
 * The index from the disk alone, for the day the database is lost. Names tell paths and ids, bytes tell hashes; what stood
 * in the database only cannot come back. Written in portions, so an interrupted run goes on where it was.
 */
import type { Database } from '../../database/database.ts'
import type { ListedObject, Storage } from '../../storage/storage.ts'
import { walkOwners } from '../integrity/owners.ts'
import { type Candidate, isForeign, originalOf, readCandidate } from './candidates.ts'
import { type Known, knownAmong, place, type Rivalry } from './rebuild.store.ts'

/** Where originals lie; the library first, since the trash is judged by it. */
const ROOTS = ['files/', 'trash/'] as const

const PORTION_FILES = 200
const PORTION_BYTES = 256 * 1024 * 1024

/** Entries kept of each list in the report; the counts go on. */
const KEPT = 1000

export interface RebuildReport {
  files: number
  trash: number
  bytes: number
  /** Files whose preview or WebP variant the service will make anew. */
  toDerive: number
  rivalries: { count: number; first: Rivalry[] }
  unreadable: { count: number; first: string[] }
  /** What lies in the store and is none of ours; it stays where it is. */
  foreign: { count: number; first: string[] }
}

export interface RebuildParts {
  database: Database
  storage: Storage
  now: () => number
  onProgress: (read: number, total: number) => void
}

export async function rebuildIndex(parts: RebuildParts): Promise<RebuildReport> {
  const { database, storage, onProgress } = parts
  const lists = {
    rivalries: { count: 0, first: [] as Rivalry[] },
    unreadable: { count: 0, first: [] as string[] },
    foreign: { count: 0, first: [] as string[] },
  }
  const total = await measure(storage, name => note(lists.foreign, name))
  let read = 0
  const onBytes = (count: number) => {
    read += count
    onProgress(read, total)
  }
  await dropVanished(parts)
  for (const root of ROOTS) {
    for await (const portion of portions(storage.list(root))) {
      const candidates: Candidate[] = []
      const known = await knownAmong(
        database.read,
        portion.map(({ id }) => id),
      )
      for (const { listed, id } of portion) {
        if (isKnown(known.get(id), listed)) onBytes(listed.size)
        else candidates.push(...(await readOrNote(listed)))
      }
      const rivalries = await placeAll(parts, candidates)
      for (const each of rivalries) note(lists.rivalries, each)
    }
  }
  return { ...(await figures(database)), ...lists }

  async function readOrNote(listed: ListedObject): Promise<Candidate[]> {
    try {
      const candidate = await readCandidate(storage, listed, originalOf(listed.name)!, onBytes)
      return candidate ? [candidate] : []
    } catch {
      note(lists.unreadable, listed.name)
      return []
    }
  }
}

function note<T>(list: { count: number; first: T[] }, entry: T): void {
  list.count++
  if (list.first.length < KEPT) list.first.push(entry)
}

/** How many bytes there are to read; names on the way what is none of ours. */
async function measure(storage: Storage, onForeign: (name: string) => void): Promise<number> {
  let total = 0
  for (const root of ROOTS) {
    for await (const { name, size } of storage.list(root)) {
      if (originalOf(name)) total += size
      else if (isForeign(name)) onForeign(name)
    }
  }
  return total
}

/** Rows of an earlier, interrupted run whose object has gone since. */
async function dropVanished({ database, storage }: RebuildParts): Promise<void> {
  for await (const { place: table, id, object } of walkOwners(database)) {
    if (await storage.open(object)) continue
    await database.transaction(tx => tx.deleteFrom(table).where('id', '=', id).execute())
  }
}

const isKnown = (known: Known | undefined, listed: ListedObject) =>
  known?.object === listed.name &&
  known.size === listed.size &&
  known.updated_at === Math.floor(listed.writtenAt)

interface Original {
  listed: ListedObject
  id: string
}

async function* portions(objects: AsyncIterable<ListedObject>): AsyncGenerator<Original[]> {
  let portion: Original[] = []
  let bytes = 0
  for await (const listed of objects) {
    const parsed = originalOf(listed.name)
    if (!parsed) continue
    portion.push({ listed, id: parsed.id })
    bytes += listed.size
    if (portion.length < PORTION_FILES && bytes < PORTION_BYTES) continue
    yield portion
    portion = []
    bytes = 0
  }
  if (portion.length > 0) yield portion
}

function placeAll({ database, now }: RebuildParts, candidates: readonly Candidate[]): Promise<Rivalry[]> {
  return database.transaction(async tx => {
    const rivalries: Rivalry[] = []
    for (const candidate of candidates) rivalries.push(...(await place(tx, candidate, now())))
    return rivalries
  })
}

async function figures({ read }: Database) {
  const library = await read
    .selectFrom('media')
    .select(({ fn }) => [
      fn.countAll<number | string>().as('files'),
      fn.sum<number | string | null>('size').as('bytes'),
    ])
    .executeTakeFirstOrThrow()
  const { pending } = await read
    .selectFrom('media')
    .select(({ fn }) => fn.countAll<number | string>().as('pending'))
    .where('derived', '=', 'pending')
    .executeTakeFirstOrThrow()
  const trash = await read.selectFrom('trash_total').select(['files', 'bytes']).executeTakeFirstOrThrow()
  return {
    files: Number(library.files),
    trash: Number(trash.files),
    bytes: Number(library.bytes ?? 0) + Number(trash.bytes),
    toDerive: Number(pending),
  }
}
