/** The sending half of a connection: hands an answer to the system as fast as the client takes it. */
import { closeSync, openSync, readSync } from 'node:fs'
import type { ReadyAnswer, SentFile } from './answers.ts'
import type { Kernel } from './kernel.ts'

/** Bytes of a file that go out in one turn of the event loop: others want to be answered too. */
const TURN_MOST = 4 * 1024 * 1024
/** Bytes that are read and written at once where the kernel does not send a file. */
const PIECE = 256 * 1024
/** Bytes that are written after the kernel took no more: so the runtime learns to tell when there is room again. */
const SMALL_PIECE = 4 * 1024
/** Bytes up to which parts are joined, so that they go out in one call. */
const JOINED_MOST = 64 * 1024

export interface SenderParts {
  socket: Bun.Socket<unknown>
  kernel: Kernel | null
  /** All of the answer was handed to the system. */
  sent(): void
  /** The answer cannot be sent to its end. */
  failed(): void
  /** Has `pump` called at the end of this turn of the event loop. */
  schedule(): void
}

/** A file, and which of its bytes are still to be sent. */
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
  /** Whether an answer is on its way. */
  isBusy = false

  constructor(private readonly my: SenderParts) {}

  /** Whether bytes lie here that the client has not taken. */
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
    this.my.schedule()
  }

  /** Throws when the file cannot be opened; then nothing was sent. */
  sendFile(head: Uint8Array, { place: { file, start, end } }: SentFile): void {
    const descriptor = openSync(file, 'r')
    if (start < end) this.file = { descriptor, at: start, end }
    else closeSync(descriptor)
    this.sendParts(head)
  }

  /** Sends what a stream yields: in chunks, by its length, or (null) to the end of the connection. */
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
        // More than was announced would be taken for the next answer.
        if (left < 0) throw new Error('the stream is longer than it said')
        this.add(isChunked ? chunk(part.value) : part.value)
        if (this.parts.length > 1) await new Promise<void>(resolve => (this.drained = resolve))
      }
      if (left > 0 && left < Number.POSITIVE_INFINITY) throw new Error('the stream is shorter than it said')
    } catch {
      if (this.reader === reader) this.my.failed()
      return
    }
    if (this.reader !== reader) return
    this.reader = null
    if (isChunked) this.parts.push(LAST_CHUNK)
    this.my.schedule()
  }

  private add(part: Uint8Array): void {
    this.parts.push(part)
    this.my.schedule()
  }

  /** Hands on as much as the system takes. */
  pump(): void {
    if (this.isBusy && this.writeParts() && this.writeFile()) this.emptied()
  }

  /** The same; answers whether it took anything. */
  pumpsOn(): boolean {
    const { socket } = this.my
    const before = socket.bytesWritten
    const fileBefore = this.file?.at
    this.pump()
    return socket.bytesWritten !== before || this.file?.at !== fileBefore
  }

  private emptied(): void {
    if (this.reader) {
      this.drained?.()
      this.drained = null
      return
    }
    this.release()
    this.my.sent()
  }

  private writeParts(): boolean {
    const { socket, kernel } = this.my
    if (this.parts.length > 1 && lengthOf(this.parts) <= JOINED_MOST) this.parts = [Buffer.concat(this.parts)]
    for (let [part] = this.parts; part; part = this.parts[0]) {
      // A head that the bytes of a file follow goes out together with them.
      let taken = this.file && kernel ? Math.max(kernel.sendBegin(fdOf(socket), part), 0) : 0
      // The runtime tells that there is room again only after a write of its own.
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
    const end = Math.min(file.end, file.at + TURN_MOST)
    let piece = this.my.kernel ? SMALL_PIECE : PIECE
    while (file.at < end) {
      if (this.sendByKernel(file, end)) continue
      if (!this.sendPiece(file, Math.min(end - file.at, piece))) return false
      // There was room, and the kernel has not used it.
      piece = PIECE
    }
    if (file.at === file.end) return true
    this.my.schedule()
    return false
  }

  /** False when the kernel has taken nothing. */
  private sendByKernel(file: OpenFile, end: number): boolean {
    const { kernel, socket } = this.my
    const sent = kernel?.sendFile(fdOf(socket), file.descriptor, file.at, end - file.at) ?? 0
    if (sent > 0) file.at += sent
    return sent > 0
  }

  /** Reads a piece and writes it. False when not all of it was taken. */
  private sendPiece(file: OpenFile, most: number): boolean {
    const piece = Buffer.allocUnsafe(most)
    const length = readInto(piece, file)
    if (length === 0) {
      // The reader has to see that this is not the end.
      this.my.failed()
      return false
    }
    const taken = Math.max(this.my.socket.write(piece.subarray(0, length)), 0)
    file.at += taken
    return taken === length
  }

  /** The answer is over, or its reader has gone. */
  release(): void {
    const { file, reader, ready } = this
    this.isBusy = false
    this.parts = []
    this.file = null
    // The file of an answer that lies ready stays open for the next reader.
    if (ready) ready.done()
    else if (file) closeSync(file.descriptor)
    this.ready = null
    this.reader = null
    this.drained?.()
    this.drained = null
    reader?.cancel().catch(() => {})
  }
}

/** Not documented by the runtime. Without it every call of the kernel fails, and pieces are read and written. */
const fdOf = (socket: Bun.Socket<unknown>) => (socket as { fd?: number }).fd ?? -1

/** Bytes that were read: none where somebody has shortened the file, or the disk fails. */
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
