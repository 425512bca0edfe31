/** Examines the data folder directly, without the service: rows, objects and their owners. */
import { Database } from 'bun:sqlite'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256 } from '../support/bytes.ts'
import { MARK } from '../support/data-folder.ts'

export interface Row {
  path: string
  object: string
  size: number
  sha256: string
  /** Null: there is no variant, or not yet. */
  variant_size: number | null
  preview_size: number | null
  variant_mark: string | null
  preview_mark: string | null
}

const COLUMNS = 'path, object, size, sha256, variant_size, preview_size, variant_mark, preview_mark'

export function readRows(dataDir: string): Row[] {
  // Read-only: otherwise the check itself might repair the database after a crash.
  using database = new Database(join(dataDir, 'fundus.db'), { readonly: true })
  return database.query<Row, []>(`select ${COLUMNS} from media order by path`).all()
}

/** Names of all files below one of the data folder's own folders, with `/` between segments. */
export async function listFiles(dataDir: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(dataDir, folder), { recursive: true, withFileTypes: true }).catch(
    error => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw error
    },
  )
  const root = join(dataDir, '/')
  return entries
    .filter(each => each.isFile() && each.name !== MARK)
    .map(each => join(each.parentPath, each.name).slice(root.length).replaceAll('\\', '/'))
    .sort()
}

/** Checks that each row has its objects, with size and hash as recorded. */
export async function checkRows(dataDir: string, rows: Row[]): Promise<string[]> {
  const violations: string[] = []
  for (const row of rows) {
    const bytes = await readFile(join(dataDir, row.object)).catch(() => null)
    if (!bytes) violations.push(`row ${row.path}: object ${row.object} is gone`)
    else if (bytes.length !== row.size) {
      violations.push(`row ${row.path}: object has ${bytes.length} bytes, recorded are ${row.size}`)
    } else if (sha256(bytes) !== row.sha256) violations.push(`row ${row.path}: object has another hash`)
    for (const { name, size } of derivedOf(row)) {
      const found = (await stat(join(dataDir, name)).catch(() => null))?.size
      if (found !== size) violations.push(`row ${row.path}: ${name} has ${found} bytes, recorded are ${size}`)
    }
  }
  return violations
}

/** Checks that the running figures of each token equal those of its files. */
export function checkUsage(dataDir: string): string[] {
  using database = new Database(join(dataDir, 'fundus.db'), { readonly: true })
  const running = `select token_id, files, bytes from token_usage where files <> 0 or bytes <> 0 order by token_id`
  const counted = `select token_id, count(*) as files, sum(size) as bytes from media where token_id is not null
    group by token_id order by token_id`
  const [told, found] = [running, counted].map(query => JSON.stringify(database.query(query).all()))
  return told === found ? [] : [`quota: recorded ${told}, counted ${found}`]
}

export interface Ownership {
  /** Named by a row: must exist, whatever happens. */
  owned: Set<string>
  /** Derived but not recorded because of the kill: the sweep may leave or remove it. */
  undecided: Set<string>
  /** On disk, without an owner. */
  leftovers: string[]
}

export async function ownership(dataDir: string, rows: Row[]): Promise<Ownership> {
  const owned = new Set(rows.flatMap(row => [row.object, ...derivedOf(row).map(({ name }) => name)]))
  const present = [...(await listFiles(dataDir, 'files')), ...(await listFiles(dataDir, 'thumbs'))]
  const objects = new Set(rows.map(row => withoutExtension(row.object)))
  const undecided = new Set(present.filter(name => !owned.has(name) && objects.has(originalOf(name))))
  return { owned, undecided, leftovers: present.filter(name => !owned.has(name) && !undecided.has(name)) }
}

/**
 * The names of a row's derived files: `files/<folder>/<stem>~<id>~w-<mark>.webp` for the variant and
 * `thumbs/<folder>/<stem>~<id>~t-<mark>.webp` for the preview.
 */
function derivedOf({ object, variant_mark, variant_size, preview_mark, preview_size }: Row) {
  const stem = withoutExtension(object)
  const preview = stem.replace(/^files\//, 'thumbs/')
  return [
    ...(variant_size === null ? [] : [{ name: `${stem}~w-${variant_mark}.webp`, size: variant_size }]),
    ...(preview_size === null ? [] : [{ name: `${preview}~t-${preview_mark}.webp`, size: preview_size }]),
  ]
}

/** The original's object name without extension, for an original or a derived file. */
const originalOf = (name: string) =>
  name.replace(/^thumbs\//, 'files/').replace(/~[wt]-[0-9a-z]{6}\.webp$/, '')

function withoutExtension(object: string): string {
  return object.replace(/(~[^/~.]+)\.[^/~]*$/, '$1')
}
