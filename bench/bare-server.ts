/**
 * What the HTTP server of the runtime can do at best (over its sockets more can be done: decision 0032), for
 * the report: the files below a folder, each answer made once and cloned for every reader, large ones sent by
 * the kernel. Nothing is looked up, protected or counted. An upload (PUT) is as safe as one of Fundus when it
 * is answered: hashed, its file, its folder and one row of a database flushed.
 *   bun bench/bare-server.ts FOLDER HOST PORT
 */
import { Database } from 'bun:sqlite'
import { createHash } from 'node:crypto'
import { constants, mkdirSync } from 'node:fs'
import { open, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const SENT_BY_KERNEL = 1024 * 1024
/** A new file whose bytes are flushed by writing them. */
const FLUSHED = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | constants.O_SYNC

const [root = '', hostname = '', port = ''] = process.argv.slice(2)
type Ready = Awaited<ReturnType<typeof prepare>>
const answers = new Map<string, Ready>()

async function prepare(path: string) {
  const file = Bun.file(join(root, path))
  const headers = { etag: `"${file.size}-${file.lastModified}"`, 'content-type': 'application/octet-stream' }
  const ready = {
    etag: headers.etag,
    file,
    whole: new Response(file.size < SENT_BY_KERNEL ? await file.bytes() : file, { headers }),
    notModified: new Response(null, { status: 304, headers }),
  }
  answers.set(path, ready)
  return ready
}

function answer({ headers }: Request, { etag, file, whole, notModified }: Ready): Response {
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.get('Range') ?? '') ?? []
  if (to) return new Response(file.slice(Number(from), Number(to) + 1), { status: 206 })
  return (headers.get('If-None-Match') === etag ? notModified : whole).clone() as Response
}

/** Who comes while `work` runs waits for the next run, which serves all of them together. */
function together(work: () => Promise<void>): () => Promise<void> {
  let running = Promise.resolve()
  let next: Promise<void> | null = null
  return () => {
    next ??= running.then(() => {
      next = null
      running = work()
      return running
    })
    return next
  }
}

const flush = async (path: string) => {
  await using handle = await open(path)
  await handle.datasync()
}

type Row = [path: string, size: number, hash: string, at: number]

/** Rows are committed together, and their log is flushed beside the event loop. */
function createRows(file: string) {
  const database = new Database(file)
  database.run('pragma journal_mode = wal')
  database.run('pragma synchronous = normal')
  database.run(
    'create table if not exists file (path text primary key, size int, hash text, at int) without rowid',
  )
  const insert = database.prepare('insert or replace into file values (?, ?, ?, ?)')
  let waiting: Row[] = []
  const commit = database.transaction((rows: Row[]) => {
    for (const row of rows) insert.run(...row)
  })
  const committed = together(() => {
    commit(waiting)
    waiting = []
    return flush(`${file}-wal`)
  })
  return (...row: Row) => {
    waiting.push(row)
    return committed()
  }
}

const folders = new Map<string, () => Promise<void>>()
let keepRow: ReturnType<typeof createRows> | null = null
let staged = 0

function flushFolder(folder: string): () => Promise<void> {
  mkdirSync(folder, { recursive: true })
  const flushed = together(() => flush(folder))
  folders.set(folder, flushed)
  return flushed
}

async function keep(request: Request, path: string): Promise<Response> {
  keepRow ??= createRows(join(root, '../bare.db'))
  const bytes = await request.bytes()
  const hash = createHash('sha256').update(bytes).digest('hex')
  const target = join(root, path)
  const folder = dirname(target)
  const flushed = folders.get(folder) ?? flushFolder(folder)
  const staging = join(root, `../tmp/${staged++}`)
  await writeFile(staging, bytes, { flag: FLUSHED })
  await rename(staging, target)
  await flushed()
  await keepRow(path, bytes.length, hash, Date.now())
  return new Response(null, { status: 201 })
}

Bun.serve({
  hostname,
  port,
  fetch(request) {
    const path = request.url.slice(request.url.indexOf('/', 8))
    if (request.method === 'PUT') return keep(request, path)
    const ready = answers.get(path)
    return ready ? answer(request, ready) : prepare(path).then(made => answer(request, made))
  },
})
