/** Looks at the data folder itself, past the service: what the rows say, what lies on disk, who owns it. */
import { Database } from 'bun:sqlite'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256 } from './bodies.ts'

export interface Row {
  path: string
  object: string
  size: number
  sha256: string
  /** Null: there is none, or not yet. */
  variant_size: number | null
  preview_size: number | null
}

const COLUMNS = 'path, object, size, sha256, variant_size, preview_size'

export function readRows(dataDir: string): Row[] {
  // Read-only: the check must not be what repairs the database after a crash.
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
    .filter(each => each.isFile())
    .map(each => join(each.parentPath, each.name).slice(root.length).replaceAll('\\', '/'))
    .sort()
}

/** No row without its objects, and each is whole: size and hash as recorded. */
export async function checkRows(dataDir: string, rows: Row[]): Promise<string[]> {
  const violations: string[] = []
  for (const row of rows) {
    const bytes = await readFile(join(dataDir, row.object)).catch(() => null)
    if (!bytes) violations.push(`row ${row.path}: object ${row.object} is gone`)
    else if (bytes.length !== row.size) {
      violations.push(`row ${row.path}: object has ${bytes.length} bytes, recorded are ${row.size}`)
    } else if (sha256(bytes) !== row.sha256) violations.push(`row ${row.path}: object has another hash`)
    for (const [name, size] of derivedOf(row)) {
      if (size === null) continue
      const found = (await stat(join(dataDir, name)).catch(() => null))?.size
      if (found !== size) violations.push(`row ${row.path}: ${name} has ${found} bytes, recorded are ${size}`)
    }
  }
  return violations
}

export interface Ownership {
  /** Named by a row: must be there, whatever happens. */
  owned: Set<string>
  /**
   * Made for an object that is there, but not recorded by its row: derived just before the kill. It is made
   * again under the same name or swept, and either is right.
   */
  undecided: Set<string>
  /** On disk, and nobody's. */
  leftovers: string[]
}

export async function ownership(dataDir: string, rows: Row[]): Promise<Ownership> {
  const owned = new Set(rows.flatMap(row => [row.object, ...derivedOf(row).flatMap(ifRecorded)]))
  const undecided = new Set(
    rows.flatMap(row => derivedOf(row).map(([name]) => name)).filter(name => !owned.has(name)),
  )
  const present = [...(await listFiles(dataDir, 'files')), ...(await listFiles(dataDir, 'thumbs'))]
  return { owned, undecided, leftovers: present.filter(name => !owned.has(name) && !undecided.has(name)) }
}

const ifRecorded = ([name, size]: readonly [string, number | null]) => (size === null ? [] : [name])

/** The names of what may derive from a row's object, each with its recorded size. */
function derivedOf(row: Row): (readonly [string, number | null])[] {
  return [
    [variantOf(row.object), row.variant_size],
    [previewOf(row.object), row.preview_size],
  ]
}

/** `files/<folder>/<stem>~<id><ext>` → `files/<folder>/<stem>~<id>~w.webp` */
function variantOf(object: string): string {
  return `${withoutExtension(object)}~w.webp`
}

/** `files/<folder>/<stem>~<id><ext>` → `thumbs/<folder>/<stem>~<id>.webp` */
function previewOf(object: string): string {
  return `${withoutExtension(object).replace(/^files\//, 'thumbs/')}.webp`
}

function withoutExtension(object: string): string {
  return object.replace(/(~[^/~.]+)\.[^/~]*$/, '$1')
}
