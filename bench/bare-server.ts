/**
 * What the runtime can do at best, for the report: the files below a folder, each answer made once and cloned for every reader, large
 * ones sent by the kernel. Nothing is looked up, protected, counted or kept.
 *   bun bench/bare-server.ts FOLDER HOST PORT
 */
import { join } from 'node:path'

const SENT_BY_KERNEL = 1024 * 1024

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

Bun.serve({
  hostname,
  port,
  fetch(request) {
    const path = request.url.slice(request.url.indexOf('/', 8))
    const ready = answers.get(path)
    return ready ? answer(request, ready) : prepare(path).then(made => answer(request, made))
  },
})
