/** The sending half of a connection: writes an answer as fast as the client reads it. */
import { closeSync, openSync, readSync } from 'node:fs'
import type { ReadyAnswer, SentFile } from './answers.ts'
import type { SendfileCalls } from './sendfile.ts'

/** Maximum bytes of a file sent per event loop iteration, so that other connections are not held up. */
const MAX_PER_TURN = 4 * 1024 * 1024
/** Number of bytes of a file that are read and written at once without `sendfile`. */
const PIECE = 256 * 1024
/**
 * Number of bytes written when `sendfile` accepts no more: the runtime reports room again only after a write
 * of its own.
 */
const SMALL_PIECE = 4 * 1024
/** Maximum number of bytes of parts that are joined so that they are sent in one call. */
const MAX_JOINED = 64 * 1024

export interface SenderParts {
  socket: Bun.Socket<unknown>
  sendfileCalls: SendfileCalls | null
  /** Called when the whole answer was handed to the kernel. */
  sent(): void
  failed(): void
  schedule(): void
}

interface OpenFile {
  descriptor: number
  at: number
  end: number
}

export class Sender {
  private parts: Uint8Array[] = []
  private ready: ReadyAnswer | null = null
  private file: OpenFile | null = null
  private reader: ReturnType<ReadableStream<Uint8Array>['getReader']> | null = null
  private drained: (() => void) | null = null
  /** Whether an answer is being sent. */
  isBusy = false

  constructor(private readonly owner: SenderParts) {}

  /** Whether there are bytes that the socket has not accepted. */
  get waits(): boolean {
    return this.parts.length > 0 || this.file !== null
  }

  sendReady(answer: ReadyAnswer): void {
    const { descriptor, file } = answer
    this.ready = answer
    if (descriptor !== null) this.file = { descriptor, at: 0, end: file!.size }
    this.sendParts(answer.bytes())
  }

  sendParts(...parts: Uint8Array[]): void {
    this.isBusy = true
    this.parts = parts
    this.owner.schedule()
  }

  /** Throws if the file cannot be opened; in that case nothing was sent. */
  sendFile(head: Uint8Array, { place: { file, start, end } }: SentFile): void {
    const descriptor = openSync(file, 'r')
    if (start < end) this.file = { descriptor, at: start, end }
    else closeSync(descriptor)
    this.sendParts(head)
  }

  /** Sends a stream: in chunks, with the given length, or (null) until the connection is closed. */
  async sendStream(
    head: Uint8Array,
    source: ReadableStream<Uint8Array>,
    length: number | 'chunked' | null,
  ): Promise<void> {
    const isChunked = length === 'chunked'
    let left = typeof length === 'number' ? length : Number.POSITIVE_INFINITY
    const reader = source.getReader()
    this.reader = reader
    this.sendParts(head)
    try {
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        if (this.reader !== reader) return
        if (part.value.length === 0) continue
        left -= part.value.length
        // The client would read the excess as the next answer.
        if (left < 0) throw new Error('the stream is longer than it said')
        this.add(isChunked ? chunk(part.value) : part.value)
        if (this.parts.length > 1) await new Promise<void>(resolve => (this.drained = resolve))
      }
      if (left > 0 && left < Number.POSITIVE_INFINITY) throw new Error('the stream is shorter than it said')
    } catch {
      if (this.reader === reader) this.owner.failed()
      return
    }
    if (this.reader !== reader) return
    this.reader = null
    if (isChunked) this.parts.push(LAST_CHUNK)
    this.owner.schedule()
  }

  private add(part: Uint8Array): void {
    this.parts.push(part)
    this.owner.schedule()
  }

  /** Writes as much as the socket accepts. */
  pump(): void {
    if (this.isBusy && this.writeParts() && this.writeFile()) this.onEmptied()
  }

  /** Writes like `pump`, and returns whether the socket accepted anything. */
  pumpsSome(): boolean {
    const { socket } = this.owner
    const before = socket.bytesWritten
    const fileBefore = this.file?.at
    this.pump()
    return socket.bytesWritten !== before || this.file?.at !== fileBefore
  }

  private onEmptied(): void {
    if (this.reader) {
      this.drained?.()
      this.drained = null
      return
    }
    this.release()
    this.owner.sent()
  }

  private writeParts(): boolean {
    const { socket, sendfileCalls } = this.owner
    if (this.parts.length > 1 && lengthOf(this.parts) <= MAX_JOINED) this.parts = [Buffer.concat(this.parts)]
    for (let [part] = this.parts; part; part = this.parts[0]) {
      // A head is sent together with the file that follows it.
      let taken = this.file && sendfileCalls ? Math.max(sendfileCalls.sendBegin(fdOf(socket), part), 0) : 0
      // The runtime reports that there is room again only after a write of its own.
      if (taken < part.length) taken += Math.max(socket.write(taken === 0 ? part : part.subarray(taken)), 0)
      if (taken < part.length) {
        this.parts[0] = part.subarray(taken)
        return false
      }
      this.parts.shift()
    }
    return true
  }

  private writeFile(): boolean {
    const { file } = this
    if (!file) return true
    const end = Math.min(file.end, file.at + MAX_PER_TURN)
    let piece = this.owner.sendfileCalls ? SMALL_PIECE : PIECE
    while (file.at < end) {
      if (this.sendByKernel(file, end)) continue
      if (!this.sendPiece(file, Math.min(end - file.at, piece))) return false
      // The socket had room again although `sendfile` had sent nothing.
      piece = PIECE
    }
    if (file.at === file.end) return true
    this.owner.schedule()
    return false
  }

  private sendByKernel(file: OpenFile, end: number): boolean {
    const { sendfileCalls, socket } = this.owner
    const sent = sendfileCalls?.sendFile(fdOf(socket), file.descriptor, file.at, end - file.at) ?? 0
    if (sent > 0) file.at += sent
    return sent > 0
  }

  /** Returns false if the socket did not accept the whole piece. */
  private sendPiece(file: OpenFile, most: number): boolean {
    const piece = Buffer.allocUnsafe(most)
    const length = readInto(piece, file)
    if (length === 0) {
      // The connection is closed, so that the client notices that the answer is incomplete.
      this.owner.failed()
      return false
    }
    const taken = Math.max(this.owner.socket.write(piece.subarray(0, length)), 0)
    file.at += taken
    return taken === length
  }

  release(): void {
    const { file, reader, ready } = this
    this.isBusy = false
    this.parts = []
    this.file = null
    // The file of a prepared answer stays open for the next request.
    if (ready) ready.done()
    else if (file) closeSync(file.descriptor)
    this.ready = null
    this.reader = null
    this.drained?.()
    this.drained = null
    reader?.cancel().catch(() => {})
  }
}

/**
 * The descriptor of a socket; the property is undocumented. Without a descriptor every `sendfile` fails, and
 * pieces are read and written instead.
 */
const fdOf = (socket: Bun.Socket<unknown>) => (socket as { fd?: number }).fd ?? -1

/** Number of bytes read: 0 if the file was truncated or the disk fails. */
function readInto(piece: Buffer, { descriptor, at }: OpenFile): number {
  try {
    return readSync(descriptor, piece, 0, piece.length, at)
  } catch {
    return 0
  }
}

const lengthOf = (parts: readonly Uint8Array[]) => parts.reduce((sum, { length }) => sum + length, 0)

const LINE_END = Buffer.from('\r\n')
const LAST_CHUNK = Buffer.from('0\r\n\r\n')

const chunk = (bytes: Uint8Array) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, LINE_END])
