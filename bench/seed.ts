/**
 * A library of a million files for `bench/library.ts`, written straight into a fresh data folder. Alone:
 *   bun bench/seed.ts <folder> [rows]
 * Only `served/` and `rename-me/` have real objects; nothing else is ever opened.
 */
import { Database as Connection } from 'bun:sqlite'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { kindOf } from '../src/contract/paths/kinds.ts'
import { naturalKey } from '../src/database/natural-key.ts'
import { openSqlite } from '../src/database/sqlite/sqlite.ts'
import { objectName } from '../src/storage/names.ts'

export const SERVED = 200
export const RENAMED = 10_000
export const WORDS =
  'sword shield potion helmet boots armor amulet arrow staff crown chest scroll torch lantern barrel crate anvil hammer banner throne dragon castle bridge forest desert temple goblin wizard knight archer galley saddle'.split(
    ' ',
  )
const FOLDERS = 5000
const CONTENT = 'a small file'
/**
 * Of the search index that is gathered in memory before it is written: while seeding, and FTS5's own figure.
 */
const PIECE_BYTES = 256 * 2 ** 20
const FTS5_PIECE_BYTES = 2 ** 20
/**
 * Memory for each row while seeding: the unique indexes grow at random places and should not be read from the
 * disk.
 */
const CACHE_PER_ROW = 300
const DAY = 24 * 60 * 60 * 1000
const TYPES = [
  ['png', 'image/png', 0.5],
  ['jpg', 'image/jpeg', 0.75],
  ['webp', 'image/webp', 0.85],
  ['mp4', 'video/mp4', 0.9],
  ['ogg', 'audio/ogg', 0.95],
  ['pdf', 'application/pdf', 1],
] as const

/** The same library every time. */
function createRandom(seed = 12_345) {
  let state = seed
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  const hex = (length: number) => {
    let text = ''
    while (text.length < length)
      text += below(2 ** 24)
        .toString(16)
        .padStart(6, '0')
    return text.slice(0, length)
  }
  return { next, below, hex, word: () => WORDS[below(WORDS.length)]! }
}
type Random = ReturnType<typeof createRandom>

function folderNames(random: Random): string[] {
  return Array.from({ length: FOLDERS }, () => {
    const parts = ['library', random.word()]
    for (let depth = random.below(4); depth >= 0; depth--) parts.push(`${random.word()}-${random.below(40)}`)
    return parts.join('/')
  })
}

function fileName(random: Random, nr: number): string {
  const which = random.next()
  if (which < 0.4) return random.hex(32)
  if (which < 0.7)
    return `screenshot-${2018 + random.below(8)}-${1 + random.below(12)}-${random.below(28)}-${random.hex(6)}`
  return `${random.word()}_${random.word()}_${nr}`
}

interface SeedRow {
  path: string
  mime: string
  real: boolean
}

function* rows(count: number, random: Random): Generator<SeedRow> {
  for (let nr = 0; nr < SERVED; nr++) yield { path: `served/${nr}.txt`, mime: 'text/plain', real: true }
  for (let nr = 0; nr < RENAMED; nr++)
    yield { path: `rename-me/part-${nr % 20}/file-${nr}.png`, mime: 'image/png', real: true }
  const folders = folderNames(random)
  for (let nr = SERVED + RENAMED; nr < count; nr++) {
    const type = random.next()
    const [extension, mime] = TYPES.find(([, , share]) => type <= share)!
    const folder = random.next() < 0.3 ? 'uploads' : folders[Math.floor(random.next() ** 2 * FOLDERS)]!
    // The number keeps names apart; two thirds of the real ones have none, so it is short.
    yield { path: `${folder}/${fileName(random, nr)}-${nr.toString(36)}.${extension}`, mime, real: false }
  }
}

/**
 * Everything that would slow each single insert down is made at the end in one go, from the statements it was
 * made by.
 */
function withoutIndexes(connection: Connection, fill: () => void): void {
  const made = connection
    .query<{ type: string; name: string; sql: string }, []>(
      `select type, name, sql from sqlite_master where tbl_name = 'media' and type in ('index', 'trigger') and sql is not null`,
    )
    .all()
  for (const { type, name } of made) connection.run(`drop ${type} ${name}`)
  fill()
  for (const { type, sql } of made) if (type === 'index') connection.run(sql)
  connection.run(
    'insert into folder_usage select folder, kind, count(*), sum(size) from media group by folder, kind',
  )
  connection.run(
    'insert into token_usage select token_id, count(*), sum(size) from media where token_id is not null group by token_id',
  )
  connection.run('update unretrieved_total set files = (select count(*) from media where retrievals < 1)')
  fillSearchIndex(connection)
  for (const { type, sql } of made) if (type === 'trigger') connection.run(sql)
}

/**
 * In few large pieces, which are then merged: what the service does to many small pieces over days, done at
 * once.
 */
function fillSearchIndex(connection: Connection): void {
  const command = (name: string, value?: number) =>
    connection.run(
      `insert into media_search (media_search${value === undefined ? '' : ', rank'}) values ('${name}'${value === undefined ? '' : `, ${value}`})`,
    )
  command('hashsize', PIECE_BYTES)
  connection.run("insert into media_search (rowid, path) select nr, path || '~' from media order by nr")
  command('optimize')
  command('hashsize', FTS5_PIECE_BYTES)
}

export const COLUMNS = [
  ...['id', 'path', 'natural_key', 'object', 'size', 'sha256', 'mime', 'kind', 'token_id', 'created_at'],
  ...['updated_at', 'preview_size', 'retrievals', 'retrieved_at', 'derived', 'width', 'height'],
]

/** Of this many files one has the same content as another. */
const EQUAL_EACH = 50
const EQUAL_CONTENTS = 5000
const EDGES = [480, 640, 720, 1080, 1280, 1920, 2560, 3840]

/** Every row by its `COLUMNS`; `object` where there is to be a real one of that name. */
export function* seededFiles(
  count: number,
): Generator<{ values: (string | number | null)[]; object?: string }> {
  const random = createRandom()
  const now = Date.now()
  let nr = 0
  for (const { path, mime, real } of rows(count, random)) {
    const id = (nr++).toString(36).padStart(16, '0')
    const object = objectName(path, id)
    const size = real ? CONTENT.length : 1000 + random.below(5_000_000)
    const at = now - random.below(800 * DAY)
    const retrievals = random.next() < 0.4 ? 0 : Math.floor(1 / (random.next() + 1e-5))
    const token = random.next() < 0.5 ? `token-${random.below(3)}` : null
    const preview = !real && mime.startsWith('image/') ? 5000 : null
    const retrieved = retrievals === 0 ? null : now - random.below(30 * DAY)
    const content = !real && nr % EQUAL_EACH === 0 ? (nr / EQUAL_EACH) % EQUAL_CONTENTS : null
    const sha256 = (content?.toString(36).padStart(16, 'x') ?? id).repeat(4)
    const bytes = content === null ? size : 1000 + content * 977
    const edge = () => (preview === null ? null : EDGES[random.below(EDGES.length)]!)
    const values = [id, path, naturalKey(path), object, bytes, sha256, mime, kindOf(mime), token, at]
    const derived = [at, preview, retrievals, retrieved, 'done', edge(), edge()]
    yield { values: [...values, ...derived], ...(real && { object }) }
  }
}

function insertAll(connection: Connection, dataDir: string, count: number): void {
  const insert = connection.prepare(
    `insert into media (${COLUMNS.join(', ')}) values (${COLUMNS.map(() => '?').join(', ')})`,
  )
  for (const { values, object } of seededFiles(count)) {
    insert.run(...values)
    if (object === undefined) continue
    mkdirSync(dirname(join(dataDir, object)), { recursive: true })
    writeFileSync(join(dataDir, object), CONTENT)
  }
}

/** Answers the seconds it took. */
export async function seed(dataDir: string, count = 1_000_000): Promise<number> {
  const started = performance.now()
  const file = join(dataDir, 'fundus.db')
  await (await openSqlite({ file })).close()
  const connection = new Connection(file)
  // Nothing here has to survive a crash. The log of WAL would hold a second copy of everything.
  for (const pragma of [
    'journal_mode = delete',
    'synchronous = off',
    `cache_size = -${Math.max(400_000, Math.round((count * CACHE_PER_ROW) / 1024))}`,
    'temp_store = memory',
  ])
    connection.run(`pragma ${pragma}`)
  connection.run('begin')
  withoutIndexes(connection, () => insertAll(connection, dataDir, count))
  connection.run('commit')
  connection.run('pragma journal_mode = wal')
  connection.close()
  return (performance.now() - started) / 1000
}

if (import.meta.main) {
  const [folder, count] = process.argv.slice(2)
  if (!folder) throw new Error('usage: bun bench/seed.ts <folder> [rows]')
  console.log(
    `seeded in ${(await seed(folder, count === undefined ? undefined : Number(count))).toFixed(1)} s`,
  )
}
