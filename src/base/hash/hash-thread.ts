/**
 * Computes hashes on another thread: without SHA-256 instructions a megabyte takes 6 ms, during which no
 * request would be served. The thread starts with the first hash and ends when it is idle.
 */
import { startedFile } from '../program-files.ts'

const IDLE = 5_000
/** Maximum number of chunks of one hash in the thread, so that one is hashed while the next is read. */
const MAX_CHUNKS = 2
/** Bytes of a pooled buffer into which chunks are copied, since allocating costs more than copying. */
const MEMORY_PIECE = 512 * 1024
const MAX_SPARE = 4

export interface HashRequest {
  nr: number
  /** With bytes, their memory is transferred to the thread. */
  what: Uint8Array<ArrayBuffer> | 'digest' | 'drop'
}
/** The answer `memory` means that a chunk was hashed, and returns its memory. */
export type HashAnswer = { nr: number } & ({ memory: ArrayBuffer } | { sha256: string })

export type HashThread = ReturnType<typeof createHashThread>
/** A hash that the thread is computing. */
export type ThreadHash = ReturnType<HashThread['begin']>

interface RunningHash {
  /** Number of chunks that are in the thread. */
  chunks: number
  room: PromiseWithResolvers<void> | null
  digest: PromiseWithResolvers<string> | null
}

/**
 * `niceness`: the priority of the thread, on systems whose threads have priorities. `idle`: milliseconds
 * before an idle thread ends; only tests set it.
 */
export function createHashThread({ niceness = 0, idle = IDLE } = {}) {
  const underway = new Map<number, RunningHash>()
  let spare: ArrayBuffer[] = []
  let worker: Worker | null = null
  let last = 0
  let ending: Timer | undefined

  function begin() {
    const nr = ++last
    const my: RunningHash = { chunks: 0, room: null, digest: null }
    underway.set(nr, my)
    clearTimeout(ending)
    const thread = worker ?? start()
    thread.ref()

    function send(what: HashRequest['what']): void {
      // The hash was dropped, or it was lost together with its thread.
      if (!underway.has(nr)) throw lostError('it ended')
      thread.postMessage({ nr, what } satisfies HashRequest, what instanceof Uint8Array ? [what.buffer] : [])
    }

    return {
      /** Adds a chunk, whose memory may be reused at once. Resolves when there is room for another chunk. */
      async add(chunk: Uint8Array) {
        send(copyChunk(chunk))
        if (++my.chunks < MAX_CHUNKS) return
        my.room = Promise.withResolvers()
        await my.room.promise
      },
      async digest() {
        send('digest')
        my.digest = Promise.withResolvers()
        return my.digest.promise
      },
      /** Gives up the hash. After `digest` this does nothing. */
      drop() {
        if (!underway.has(nr)) return
        send('drop')
        onOver(nr)
      },
    }
  }

  function start(): Worker {
    const started = new Worker(startedFile('hashThread').href, {
      argv: [String(niceness)],
    })
    started.onmessage = ({ data }: MessageEvent<HashAnswer>) => onAnswer(data)
    started.onerror = ({ message }) => lose(started, message)
    started.addEventListener('close', () => lose(started, 'it ended'))
    worker = started
    return started
  }

  function copyChunk(chunk: Uint8Array): Uint8Array<ArrayBuffer> {
    const fits = spare.findIndex(({ byteLength }) => byteLength >= chunk.length)
    const [memory = new ArrayBuffer(Math.ceil(chunk.length / MEMORY_PIECE) * MEMORY_PIECE)] =
      fits < 0 ? [] : spare.splice(fits, 1)
    const copy = new Uint8Array(memory, 0, chunk.length)
    copy.set(chunk)
    return copy
  }

  function onAnswer(answer: HashAnswer): void {
    if ('memory' in answer) {
      if (spare.length < MAX_SPARE) spare.push(answer.memory)
      // The garbage collector would free the memory so late that it would pile up.
      else answer.memory.transfer(0)
    }
    const one = underway.get(answer.nr)
    if (!one) return
    if ('memory' in answer) {
      one.chunks--
      one.room?.resolve()
      one.room = null
    } else {
      one.digest?.resolve(answer.sha256)
      onOver(answer.nr)
    }
  }

  function onOver(nr: number): void {
    underway.delete(nr)
    if (underway.size > 0) return
    // The thread must not keep a finished process alive.
    worker?.unref()
    ending = setTimeout(end, idle).unref()
  }

  function end(): void {
    worker?.terminate()
    worker = null
    spare = []
  }

  /** Rejects every running hash; the next hash starts a new thread. */
  function lose(which: Worker, why: string): void {
    if (which !== worker) return
    worker = null
    for (const { room, digest } of underway.values()) {
      room?.reject(lostError(why))
      digest?.reject(lostError(why))
    }
    underway.clear()
  }

  return {
    begin,
    get isRunning() {
      return worker !== null
    },
  }
}

const lostError = (why: string) => new Error(`the thread for hashes was lost: ${why}`)
