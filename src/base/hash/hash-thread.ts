/**
 * Computes hashes on another thread: on a CPU without SHA-256 instructions a megabyte takes 6 ms, during
 * which the calling thread could serve no request. The thread starts with the first hash and ends after a
 * while without one.
 */
import { entryPoint } from '../program-files.ts'

/** Milliseconds without a hash after which the thread ends. */
const IDLE_TIMEOUT = 5_000
/**
 * Maximum number of chunks of one hash that are in the thread at a time: one is hashed while the next is
 * read.
 */
const MAX_CHUNKS_IN_THREAD = 2
/**
 * Chunks are copied into pooled buffers, since allocating costs more than copying. The size of each buffer is
 * a multiple of this number of bytes.
 */
const BUFFER_UNIT = 512 * 1024
const MAX_SPARE_BUFFERS = 4

export interface HashRequest {
  hashId: number
  /**
   * A chunk to hash, whose memory is transferred to the thread; `digest`, which asks for the hash; or `drop`,
   * which discards the hash.
   */
  command: Uint8Array<ArrayBuffer> | 'digest' | 'drop'
}
/**
 * An answer of the thread. Each hashed chunk is answered with its memory, which is transferred back; `digest`
 * is answered with the hash.
 */
export type HashAnswer = { hashId: number } & ({ memory: ArrayBuffer } | { sha256: string })

export type HashThread = ReturnType<typeof createHashThread>
/** The functions with which a caller sends the chunks of one hash to the thread and gets the result. */
export type HashHandle = ReturnType<HashThread['begin']>

interface RunningHash {
  /** Number of chunks that are in the thread. */
  chunkCount: number
  /** Resolves when the thread has hashed a chunk; null unless `add` is waiting for that. */
  nextChunkHashed: PromiseWithResolvers<void> | null
  digest: PromiseWithResolvers<string> | null
}

/**
 * `niceness`: the scheduling priority of the thread, on Linux, where each thread has its own. `idle`:
 * milliseconds without a hash after which the thread ends; only tests set it.
 */
export function createHashThread({ niceness = 0, idle: idleTimeout = IDLE_TIMEOUT } = {}) {
  const runningHashes = new Map<number, RunningHash>()
  let spareBuffers: ArrayBuffer[] = []
  let worker: Worker | null = null
  let lastHashId = 0
  let idleTimer: Timer | undefined

  function begin() {
    const hashId = ++lastHashId
    const hash: RunningHash = { chunkCount: 0, nextChunkHashed: null, digest: null }
    runningHashes.set(hashId, hash)
    clearTimeout(idleTimer)
    const thread = worker ?? startThread()
    thread.ref()

    function send(command: HashRequest['command']): void {
      // `runningHashes` lacks the hash after its digest was received, after `drop`, and after the thread was
      // lost.
      if (!runningHashes.has(hashId)) throw threadLostError('it ended')
      thread.postMessage(
        { hashId, command } satisfies HashRequest,
        command instanceof Uint8Array ? [command.buffer] : [],
      )
    }

    return {
      /** Adds a copy of the chunk. Resolves when there is room for another chunk. */
      async add(chunk: Uint8Array) {
        send(copyChunk(chunk))
        if (++hash.chunkCount < MAX_CHUNKS_IN_THREAD) return
        hash.nextChunkHashed = Promise.withResolvers()
        await hash.nextChunkHashed.promise
      },
      async digest() {
        send('digest')
        hash.digest = Promise.withResolvers()
        return hash.digest.promise
      },
      /** Discards the hash; does nothing once `digest` has resolved. */
      drop() {
        if (!runningHashes.has(hashId)) return
        send('drop')
        removeHash(hashId)
      },
    }
  }

  function startThread(): Worker {
    const thread = new Worker(entryPoint('hashThread').href, {
      argv: [String(niceness)],
    })
    thread.onmessage = ({ data }: MessageEvent<HashAnswer>) => onAnswer(data)
    thread.onerror = ({ message }) => onThreadLost(thread, message)
    thread.addEventListener('close', () => onThreadLost(thread, 'it ended'))
    worker = thread
    return thread
  }

  function copyChunk(chunk: Uint8Array): Uint8Array<ArrayBuffer> {
    const fittingIndex = spareBuffers.findIndex(({ byteLength }) => byteLength >= chunk.length)
    const [memory = new ArrayBuffer(Math.ceil(chunk.length / BUFFER_UNIT) * BUFFER_UNIT)] =
      fittingIndex < 0 ? [] : spareBuffers.splice(fittingIndex, 1)
    const copy = new Uint8Array(memory, 0, chunk.length)
    copy.set(chunk)
    return copy
  }

  function onAnswer(answer: HashAnswer): void {
    if ('memory' in answer) {
      if (spareBuffers.length < MAX_SPARE_BUFFERS) spareBuffers.push(answer.memory)
      // Frees the memory now: the garbage collector would do so too late, and memory would pile up.
      else answer.memory.transfer(0)
    }
    const hash = runningHashes.get(answer.hashId)
    if (!hash) return
    if ('memory' in answer) {
      hash.chunkCount--
      hash.nextChunkHashed?.resolve()
      hash.nextChunkHashed = null
    } else {
      hash.digest?.resolve(answer.sha256)
      removeHash(answer.hashId)
    }
  }

  function removeHash(hashId: number): void {
    runningHashes.delete(hashId)
    if (runningHashes.size > 0) return
    // An idle thread must not keep this process alive when it has nothing else to do.
    worker?.unref()
    idleTimer = setTimeout(endThread, idleTimeout).unref()
  }

  function endThread(): void {
    worker?.terminate()
    worker = null
    spareBuffers = []
  }

  /** Rejects the pending calls of all running hashes. The next hash starts a new thread. */
  function onThreadLost(lostThread: Worker, reason: string): void {
    if (lostThread !== worker) return
    worker = null
    for (const { nextChunkHashed: slotFreed, digest } of runningHashes.values()) {
      slotFreed?.reject(threadLostError(reason))
      digest?.reject(threadLostError(reason))
    }
    runningHashes.clear()
  }

  return {
    begin,
    get isRunning() {
      return worker !== null
    },
  }
}

const threadLostError = (reason: string) => new Error(`the thread for hashes was lost: ${reason}`)
