/** Examines the content of DATA_DIR directly. The only place where tests know names of the data layout. */
import { Database } from 'bun:sqlite'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { SQL } from 'bun'
import { sha256 } from './bytes.ts'
import { listBucket, signedFetch } from './s3.ts'
import { knownPlace } from './shared-place.ts'
import { eventually } from './wait.ts'

export const DATABASE_FILE = 'fundus.db'
/** The file beside the objects in which the service records how far its database has come. */
export const MARK = '.fundus-stand'
/** The metadata field in which an object store keeps the hash of an object. */
const STORED_HASH = 'x-amz-meta-sha256'

/**
 * All files below `dataDir` except those of the database and of running processes, relative and sorted:
 * objects, previews, staged bytes. In shared mode the objects are those of the service's bucket, and the
 * cache does not count.
 */
export async function storedFiles(dataDir: string): Promise<string[]> {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true })
  const files = entries
    .filter(entry => entry.isFile() && !entry.name.startsWith(DATABASE_FILE) && !isOfProcess(entry))
    .map(entry => join(entry.parentPath, entry.name).slice(dataDir.length + 1))
  const place = await knownPlace(dataDir)
  if (!place) return files.sort()
  const objects = (await listBucket(place.bucket)).filter(name => /^(files|thumbs|trash)\//.test(name))
  return [...files.filter(name => !name.startsWith('cache')), ...objects].sort()
}

/**
 * Whether a file belongs to the running process: the lock of its staging folder, the reserve for a full disk,
 * and the mark that records how far the database has come.
 */
const isOfProcess = ({ name, parentPath }: { name: string; parentPath: string }) =>
  /^reserve(?:\.part)?$/.test(name) ||
  name === MARK ||
  (name.endsWith('.lock') && basename(parentPath) === 'staging')

/** Removes the embedded database: its file and everything that belongs to it. */
export async function removeDatabase(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) if (name.startsWith(DATABASE_FILE)) await rm(join(dataDir, name))
}

/** Files that uploads and decoders of every process are using at the moment. */
export const stagedFiles = async (dataDir: string) =>
  (await storedFiles(dataDir)).filter(name => name.startsWith('staging'))

/** The object files of a path: `files/<folder>/<stem>~<id><ext>`. */
export async function objectFiles(dataDir: string, path: string): Promise<string[]> {
  const dot = path.lastIndexOf('.')
  const stem = dot > path.lastIndexOf('/') ? path.slice(0, dot) : path
  const files = await storedFiles(dataDir)
  return files.filter(file => file.replaceAll('\\', '/').startsWith(`files/${stem}~`))
}

/**
 * Writes an object without the service's knowledge, like a broken disk or an operator; the store keeps the
 * hash of the first bytes.
 */
export async function writeObject(
  dataDir: string,
  name: string,
  content: string | Uint8Array<ArrayBuffer>,
): Promise<void> {
  const place = await knownPlace(dataDir)
  if (place) {
    const url = `${place.bucket.endpoint}/${place.bucket.bucket}/${name}`
    const known = (await signedFetch(place.bucket, url, { method: 'HEAD' })).headers.get(STORED_HASH)
    const headers = { [STORED_HASH]: known ?? sha256(content) }
    const { status } = await signedFetch(place.bucket, url, { method: 'PUT', body: content, headers })
    if (status !== 200) throw new Error(`The store answers ${status}`)
  } else {
    await mkdir(dirname(join(dataDir, name)), { recursive: true })
    await writeFile(join(dataDir, name), content)
  }
}

/** Removes an object without the service's knowledge; the caches of the instances keep it. */
export async function removeObject(dataDir: string, name: string): Promise<void> {
  const place = await knownPlace(dataDir)
  if (!place) return rm(join(dataDir, name))
  const url = `${place.bucket.endpoint}/${place.bucket.bucket}/${name}`
  const { status } = await signedFetch(place.bucket, url, { method: 'DELETE' })
  if (status !== 204) throw new Error(`The store answers ${status}`)
}

/**
 * Runs `act` and checks that the folder has nothing more than before. Removal may lag behind the answer, also
 * that of an earlier test: existing files may disappear, but none may be added.
 */
export async function leavesNothing(dataDir: string, act: () => Promise<unknown>): Promise<void> {
  const before = new Set(await storedFiles(dataDir))
  await act()
  let added: string[] = []
  await eventually('the data folder is as before', async () => {
    added = (await storedFiles(dataDir)).filter(file => !before.has(file))
    return added.length === 0
  }).catch(() => {
    throw new Error(`Left in the data folder:\n${added.join('\n')}`)
  })
}

export interface Retrievals {
  retrievals: number
  retrieved_at: number | null
}

/** The counter of one file in the database; counts of the last 30 s may still be in a process's memory. */
export async function readRetrievals(dataDir: string, path: string): Promise<Retrievals | null> {
  const [row] = await onDatabase<Retrievals>(
    dataDir,
    `select retrievals, retrieved_at from media where path = '${path}'`,
  )
  return row ?? null
}

/** Reads or changes the database without the service's knowledge. */
export async function onDatabase<Row>(dataDir: string, statement: string): Promise<Row[]> {
  const place = await knownPlace(dataDir)
  if (place) {
    await using sql = new SQL(place.databaseUrl, {
      max: 1,
      bigint: true,
      connection: { search_path: 'fundus,public' },
    })
    const rows: object[] = await sql.unsafe(statement)
    return rows.map(row => Object.fromEntries(Object.entries(row).map(withNumber))) as Row[]
  }
  using database = new Database(join(dataDir, DATABASE_FILE))
  database.run('pragma busy_timeout = 20000')
  return database.query<Row, []>(statement).all()
}

const withNumber = ([name, value]: [string, unknown]) => [
  name,
  typeof value === 'bigint' ? Number(value) : value,
]

/** Every text in every table, so that no secret can hide; the last one is the table of hashes. */
export async function databaseTexts(dataDir: string): Promise<string[]> {
  const tables = await onDatabase<{ name: string }>(
    dataDir,
    (await knownPlace(dataDir))
      ? "select table_name as name from information_schema.tables where table_schema = 'fundus'"
      : "select name from sqlite_master where type = 'table' and sql not like 'create virtual%'",
  )
  const names = tables.map(({ name }) => name).sort((a, b) => Number(a === 'token') - Number(b === 'token'))
  return Promise.all(
    names.map(async name => JSON.stringify(await onDatabase(dataDir, `select * from "${name}"`))),
  )
}
