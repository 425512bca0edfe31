/**
 * The upload load, a process of its own on its own core: `bun bench/upload-client.ts '<UploadJob>'`. Plain
 * sockets with prepared bytes, so that the client costs little beside what it measures, and the same for both
 * servers.
 */
import type { Socket } from 'bun'
import type { UploadRequest } from './server.ts'

export const PATH_MARK = '{path}'

export interface UploadJob {
  /** Connections go to them in turn. */
  ports: readonly number[]
  /** With `{path}` where the path belongs. */
  request: UploadRequest
  name: string
  size: number
  parallel: number
  /** Ends after this many seconds, or this many uploads, whichever is first. */
  seconds: number
  uploads: number
  /**
   * Paths per connection before it begins again with the first, which overwrites; bounds what lies on disk.
   */
  paths: number
  /** No more uploads than this begin in a second, of all connections together. */
  perSecond?: number
}

export interface UploadResult {
  uploads: number
  seconds: number
  /** Microseconds, ascending. */
  latencies: number[]
  errors: string[]
}

const WRITE_BYTES = 512 * 1024
const PATIENCE_MS = 120_000

export async function upload(job: UploadJob): Promise<UploadResult> {
  const body = crypto.getRandomValues(new Uint8Array(65_536))
  const bytes = new Uint8Array(job.size)
  for (let at = 0; at < job.size; at += body.length) bytes.set(body.subarray(0, job.size - at), at)
  const latencies: number[] = []
  const errors: string[] = []
  const start = performance.now()
  let begun = 0
  const mayBegin = () => begun < job.uploads && performance.now() - start < job.seconds * 1000

  /** Counts an upload, and waits until it is due. */
  const begin = async () => {
    const due = start + (begun++ * 1000) / (job.perSecond ?? Number.POSITIVE_INFINITY)
    if (due > performance.now()) await Bun.sleep(due - performance.now())
  }

  const connection = async (at: number) => {
    for (let n = 0; mayBegin() && errors.length < 10; n++) {
      await begin()
      const client = await connect(job.ports[at % job.ports.length]!)
      try {
        // One connection as long as it lasts; a server may close one after many requests.
        for (; ; n++) {
          const path = `${job.name}/${at}/${n % job.paths}.bin`
          const from = performance.now()
          const status = await client.send(head(job.request, path, job.size), bytes)
          if (status < 200 || status > 299) errors.push(`status ${status}`)
          else latencies.push(Math.round((performance.now() - from) * 1000))
          if (!mayBegin() || client.closed()) break
          await begin()
        }
      } catch (error) {
        errors.push(String(error))
      } finally {
        client.end()
      }
    }
  }
  await Promise.all(Array.from({ length: job.parallel }, (_, at) => connection(at)))
  const seconds = (performance.now() - start) / 1000
  return { uploads: latencies.length, seconds, latencies: latencies.sort((a, b) => a - b), errors }
}

function head({ method, target, headers }: UploadRequest, path: string, size: number): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const text = `${method} ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${size}\r\n${lines.join('')}\r\n`
  return text.replaceAll(PATH_MARK, path)
}

async function connect(port: number) {
  let socket: Socket | undefined
  let pending: Uint8Array[] = []
  let received = ''
  let gone = false
  let answer: { resolve(status: number): void; reject(error: Error): void } | undefined

  const pump = () => {
    while (pending[0] && socket && !gone) {
      const written = socket.write(pending[0].subarray(0, WRITE_BYTES))
      if (written <= 0) return // drain() goes on
      if (written < pending[0].length) pending[0] = pending[0].subarray(written)
      else pending.shift()
    }
  }
  const fail = (error: Error) => {
    gone = true
    answer?.reject(error)
    answer = undefined
  }
  socket = await Bun.connect({
    hostname: '127.0.0.1',
    port,
    socket: {
      drain: pump,
      data(_, chunk) {
        received += chunk.toString('latin1')
        const status = wholeAnswer(received)
        if (status === null || !answer) return
        received = ''
        answer.resolve(status)
        answer = undefined
      },
      close: () => fail(new Error('connection closed before the answer')),
      error: (_, error) => fail(error),
      connectError: (_, error) => fail(error),
    },
  })
  return {
    closed: () => gone,
    end: () => socket?.end(),
    send(headText: string, body: Uint8Array): Promise<number> {
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => fail(new Error('no answer in time')), PATIENCE_MS)
        const settle =
          <T>(use: (value: T) => void) =>
          (value: T) => {
            clearTimeout(timer)
            use(value)
          }
        answer = { resolve: settle(resolve), reject: settle(reject) }
        const first = Buffer.from(headText, 'latin1')
        // Small bodies go out with their head in one packet, as any client sends them.
        pending = body.length <= WRITE_BYTES ? [Buffer.concat([first, body])] : [first, body]
        pump()
      })
    },
  }
}

/**
 * The status once head and body are complete, else null. Both servers send Content-Length with short answers.
 */
function wholeAnswer(text: string): number | null {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return null
  const length = Number(/^content-length:\s*(\d+)/im.exec(text.slice(0, end))?.[1] ?? 0)
  return text.length >= end + 4 + length ? Number(text.slice(9, 12)) : null
}

if (import.meta.main) {
  const job = JSON.parse(process.argv[2] ?? '') as UploadJob
  console.log(JSON.stringify(await upload(job)))
}
