/**
 * The types of answers. A plain `Response` must have its whole body in memory; answers with other bodies use
 * the types below.
 */
import { closeSync, openSync } from 'node:fs'
import { headStart, headText, httpDate } from './sending/head-text.ts'
import { freeMemory } from './sending/memory.ts'

/** A local file, or a range of it. */
export interface SendableFile extends Blob {
  readonly fileRange: { file: string; start: number; end: number }
}

export const isSendableFile = (blob: Blob): blob is SendableFile => 'fileRange' in blob

/**
 * An answer that is produced while the client reads. `isEndless`: the answer ends only when the client
 * disconnects. A client that closes its sending side then counts as disconnected.
 */
export class StreamAnswer extends Response {
  constructor(
    readonly source: ReadableStream<Uint8Array>,
    init?: ResponseInit,
    readonly isEndless = false,
  ) {
    super(source, init)
  }
}

/** An answer from a local file, sent with `sendfile` where that is available. */
export class FileAnswer extends Response {
  constructor(
    readonly file: SendableFile,
    init?: ResponseInit,
  ) {
    super(file, init)
  }
}

export type AnswerBody = Uint8Array<ArrayBuffer> | Blob | ReadableStream<Uint8Array> | null

export function createAnswer(body: AnswerBody, init: ResponseInit): Response {
  if (body instanceof ReadableStream) return new StreamAnswer(body, init)
  return body instanceof Blob && isSendableFile(body) ? new FileAnswer(body, init) : new Response(body, init)
}

/**
 * An answer that is stored as the bytes to send, and is sent to several requests; only its date changes. The
 * body follows the head in these bytes, or is in a file that stays open. `acquire` is called for each request
 * that gets the answer, and `release` when the request no longer needs it.
 */
export class ReadyAnswer {
  private readonly wireBytes: Buffer
  private readonly bodyStart: number
  readonly file: SendableFile | null
  readonly descriptor: number | null
  private readonly dateStart: number
  private date = ''
  private userCount = 0
  private isRetired = false

  constructor(
    readonly status: number,
    private readonly headers: Readonly<Record<string, string>>,
    body: Uint8Array | SendableFile | null,
  ) {
    const bytes = body instanceof Uint8Array ? body : null
    const lengthField = body && {
      'Content-Length': String(body instanceof Uint8Array ? body.length : body.size),
    }
    const head = headText(status, Object.entries({ ...headers, ...lengthField }))
    this.dateStart = headStart(status).length
    this.bodyStart = head.length
    // The bytes have their own buffer, so that it can be freed explicitly.
    this.wireBytes = Buffer.from(new ArrayBuffer(head.length + (bytes?.length ?? 0)))
    this.wireBytes.write(head, 'latin1')
    if (bytes) this.wireBytes.set(bytes, head.length)
    this.descriptor = body instanceof Blob ? openSync(body.fileRange.file, 'r') : null
    this.file = body instanceof Blob ? body : null
  }

  /** Registers one more request that uses this answer. */
  acquire(): this {
    this.userCount++
    return this
  }

  bytes(): Buffer {
    const currentDate = httpDate()
    if (currentDate !== this.date) {
      this.date = currentDate
      this.wireBytes.write(currentDate, this.dateStart, 'latin1')
    }
    return this.wireBytes
  }

  release(): void {
    this.userCount--
    this.freeIfUnused()
  }

  /**
   * Called when no further request will get this answer. Its memory is freed as soon as nobody is sending it:
   * the garbage collector is so late that the bytes would pile up.
   */
  retire(): void {
    this.isRetired = true
    this.freeIfUnused()
  }

  private freeIfUnused(): void {
    if (!this.isRetired || this.userCount > 0) return
    freeMemory(this.wireBytes)
    if (this.descriptor !== null) closeSync(this.descriptor)
  }

  /** Returns the same answer as a `Response` that may be changed, and calls `release`. */
  response(): Response {
    const bytes = this.wireBytes.length > this.bodyStart ? this.wireBytes.subarray(this.bodyStart) : null
    const { status, headers, file } = this
    const response = createAnswer(file ?? (bytes as Uint8Array<ArrayBuffer> | null), {
      status,
      headers: { ...headers },
    })
    this.release()
    return response
  }
}

export type Answer = Response | ReadyAnswer

export const responseOf = (answer: Answer) => (answer instanceof ReadyAnswer ? answer.response() : answer)
