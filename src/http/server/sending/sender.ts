/** The sending half of a connection: writes an answer as fast as the client reads it. */
import { closeSync, openSync, readSync } from 'node:fs'
import type { ReadyAnswer, SendableFile } from '../answers.ts'
import type { SendfileCalls } from './sendfile.ts'

/**
 * Maximum bytes of a file that one connection sends per event loop iteration, so that the others are not
 * delayed.
 */
const MAX_FILE_BYTES_PER_TICK = 4 * 1024 * 1024
/**
 * Number of bytes of a file that are read and written at once where `sendfile` is not used or sends nothing.
 */
const PIECE_BYTES = 256 * 1024
/**
 * Number of bytes that are read and written after `sendfile` has sent nothing. The runtime emits the socket's
 * `drain` event only after a `socket.write` that was not accepted in full; calls of `sendfile` do not count.
 * So this write either succeeds, and sending continues, or causes the event.
 */
const SMALL_PIECE_BYTES = 4 * 1024
/** Maximum total bytes of the parts that are joined so that one call sends them. */
const MAX_JOINED_BYTES = 64 * 1024

export interface SenderParts {
  socket: Bun.Socket<unknown>
  sendfileCalls: SendfileCalls | null
  /** Called when the kernel has accepted the whole answer. */
  onSent(): void
  onFailed(): void
  schedule(): void
}

/** A file that is being sent: the bytes from `position` to `end` are still to be sent. */
interface OpenFile {
  descriptor: number
  position: number
  end: number
}

export class Sender {
  private parts: Uint8Array[] = []
  private readyAnswer: ReadyAnswer | null = null
  private file: OpenFile | null = null
  private reader: ReturnType<ReadableStream<Uint8Array>['getReader']> | null = null
  private onDrained: (() => void) | null = null
  /** Whether an answer is being sent. */
  isBusy = false

  constructor(private readonly owner: SenderParts) {}

  /** Whether parts or bytes of a file are waiting until the socket accepts them. */
  get hasUnsentBytes(): boolean {
    return this.parts.length > 0 || this.file !== null
  }

  sendReadyAnswer(answer: ReadyAnswer): void {
    const { descriptor, file } = answer
    this.readyAnswer = answer
    if (descriptor !== null) this.file = { descriptor, position: 0, end: file!.size }
    this.sendParts(answer.bytes())
  }

  sendParts(...parts: Uint8Array[]): void {
    this.isBusy = true
    this.parts = parts
    this.owner.schedule()
  }

  /** Throws if the file cannot be opened; in that case nothing was sent. */
  sendFile(head: Uint8Array, { fileRange: { file, start, end } }: SendableFile): void {
    const descriptor = openSync(file, 'r')
    if (start < end) this.file = { descriptor, position: start, end }
    else closeSync(descriptor)
    this.sendParts(head)
  }

  /**
   * Sends a stream. `length`: its size in bytes; `chunked`; or null if closing the connection marks its end.
   * If the stream fails or has another size, calls `onFailed` instead of rejecting.
   */
  async sendStream(
    head: Uint8Array,
    source: ReadableStream<Uint8Array>,
    length: number | 'chunked' | null,
  ): Promise<void> {
    const isChunked = length === 'chunked'
    let remainingBytes = typeof length === 'number' ? length : Number.POSITIVE_INFINITY
    const reader = source.getReader()
    this.reader = reader
    this.sendParts(head)
    try {
      for (let readResult = await reader.read(); !readResult.done; readResult = await reader.read()) {
        if (this.reader !== reader) return
        if (readResult.value.length === 0) continue
        remainingBytes -= readResult.value.length
        // The client would read the excess as the next answer.
        if (remainingBytes < 0) throw new Error('the stream is longer than it said')
        this.add(isChunked ? encodeChunk(readResult.value) : readResult.value)
        if (this.parts.length > 1) await new Promise<void>(resolve => (this.onDrained = resolve))
      }
      if (remainingBytes > 0 && remainingBytes < Number.POSITIVE_INFINITY)
        throw new Error('the stream is shorter than it said')
    } catch {
      if (this.reader === reader) this.owner.onFailed()
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

  /** Writes as much as the socket accepts, but at most `MAX_FILE_BYTES_PER_TICK` bytes of a file. */
  pump(): void {
    if (this.isBusy && this.writeParts() && this.writeFile()) this.onEmptied()
  }

  /** Like `pump`, but returns whether the socket accepted any bytes. */
  tryPump(): boolean {
    const { socket } = this.owner
    const writtenBefore = socket.bytesWritten
    const filePositionBefore = this.file?.position
    this.pump()
    return socket.bytesWritten !== writtenBefore || this.file?.position !== filePositionBefore
  }

  private onEmptied(): void {
    if (this.reader) {
      this.onDrained?.()
      this.onDrained = null
      return
    }
    this.release()
    this.owner.onSent()
  }

  private writeParts(): boolean {
    const { socket, sendfileCalls } = this.owner
    if (this.parts.length > 1 && lengthOf(this.parts) <= MAX_JOINED_BYTES)
      this.parts = [Buffer.concat(this.parts)]
    for (let [part] = this.parts; part; part = this.parts[0]) {
      // A head is sent together with the file that follows it.
      let acceptedLength =
        this.file && sendfileCalls ? Math.max(sendfileCalls.sendBegin(descriptorOf(socket), part), 0) : 0
      // What `sendBegin` did not send is written with `socket.write`, because the runtime emits `drain` only
      // after a `socket.write` that was not accepted in full.
      if (acceptedLength < part.length)
        acceptedLength += Math.max(
          socket.write(acceptedLength === 0 ? part : part.subarray(acceptedLength)),
          0,
        )
      if (acceptedLength < part.length) {
        this.parts[0] = part.subarray(acceptedLength)
        return false
      }
      this.parts.shift()
    }
    return true
  }

  private writeFile(): boolean {
    const { file } = this
    if (!file) return true
    const end = Math.min(file.end, file.position + MAX_FILE_BYTES_PER_TICK)
    let pieceLength = this.owner.sendfileCalls ? SMALL_PIECE_BYTES : PIECE_BYTES
    while (file.position < end) {
      if (this.sendByKernel(file, end)) continue
      if (!this.sendPiece(file, Math.min(end - file.position, pieceLength))) return false
      // The socket accepted bytes although `sendfile` had sent none, so larger pieces are tried.
      pieceLength = PIECE_BYTES
    }
    if (file.position === file.end) return true
    this.owner.schedule()
    return false
  }

  private sendByKernel(file: OpenFile, end: number): boolean {
    const { sendfileCalls, socket } = this.owner
    const sentLength =
      sendfileCalls?.sendFile(descriptorOf(socket), file.descriptor, file.position, end - file.position) ?? 0
    if (sentLength > 0) file.position += sentLength
    return sentLength > 0
  }

  /**
   * Reads a piece of the file and writes it. Returns false if the socket did not accept the whole piece, or
   * if the file could not be read.
   */
  private sendPiece(file: OpenFile, maxLength: number): boolean {
    const piece = Buffer.allocUnsafe(maxLength)
    const length = readFilePiece(piece, file)
    if (length === 0) {
      // The connection is closed, so that the client notices that the answer is incomplete.
      this.owner.onFailed()
      return false
    }
    const acceptedLength = Math.max(this.owner.socket.write(piece.subarray(0, length)), 0)
    file.position += acceptedLength
    return acceptedLength === length
  }

  release(): void {
    const { file, reader, readyAnswer } = this
    this.isBusy = false
    this.parts = []
    this.file = null
    // The file of a `ReadyAnswer` stays open for the next request.
    if (readyAnswer) readyAnswer.release()
    else if (file) closeSync(file.descriptor)
    this.readyAnswer = null
    this.reader = null
    this.onDrained?.()
    this.onDrained = null
    reader?.cancel().catch(() => {})
  }
}

/**
 * The descriptor of a socket; the property is undocumented. Without a descriptor every `sendfile` fails, and
 * pieces are read and written instead.
 */
const descriptorOf = (socket: Bun.Socket<unknown>) => (socket as { fd?: number }).fd ?? -1

/**
 * Reads the next bytes of the file into `piece` and returns their number: 0 if the file was truncated or the
 * disk fails.
 */
function readFilePiece(piece: Buffer, { descriptor, position }: OpenFile): number {
  try {
    return readSync(descriptor, piece, 0, piece.length, position)
  } catch {
    return 0
  }
}

const lengthOf = (parts: readonly Uint8Array[]) =>
  parts.reduce((totalLength, { length }) => totalLength + length, 0)

const LINE_END = Buffer.from('\r\n')
const LAST_CHUNK = Buffer.from('0\r\n\r\n')

const encodeChunk = (bytes: Uint8Array) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, LINE_END])
