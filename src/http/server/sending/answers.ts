/** Types of answers that the server does not send as a plain `Response`. */
import { closeSync, openSync } from 'node:fs'
import { headText, httpDate, statusLine } from './head-text.ts'
import { freeMemory } from './memory.ts'

/** A local file, or a range of it. */
export interface SentFile extends Blob {
  readonly place: { file: string; start: number; end: number }
}

export const isSentFile = (blob: Blob): blob is SentFile => 'place' in blob

/**
 * An answer that is produced while the client reads. `isEndless`: the answer ends only when the client
 * leaves, so a client that closes its sending side counts as gone.
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

/** An answer from a local file, sent with `sendfile`. */
export class FileAnswer extends Response {
  constructor(
    readonly file: SentFile,
    init?: ResponseInit,
  ) {
    super(file, init)
  }
}

export type AnswerBody = Uint8Array<ArrayBuffer> | Blob | ReadableStream<Uint8Array> | null

export function answerWith(body: AnswerBody, init: ResponseInit): Response {
  if (body instanceof ReadableStream) return new StreamAnswer(body, init)
  return body instanceof Blob && isSentFile(body) ? new FileAnswer(body, init) : new Response(body, init)
}

/**
 * An answer that is kept ready as the bytes to be sent; only its date changes. The body follows the head, or
 * is in a file that stays open. Who gets the answer from `handedOut` calls `done` after sending it.
 */
export class ReadyAnswer {
  private readonly wire: Buffer
  private readonly bodyStart: number
  readonly file: SentFile | null
  readonly descriptor: number | null
  private readonly dateStart: number
  private date = ''
  private users = 0
  private isDropped = false

  constructor(
    readonly status: number,
    private readonly headers: Readonly<Record<string, string>>,
    body: Uint8Array | SentFile | null,
  ) {
    const bytes = body instanceof Uint8Array ? body : null
    const length = body && { 'Content-Length': String(body instanceof Uint8Array ? body.length : body.size) }
    const head = headText(status, Object.entries({ ...headers, ...length }))
    this.dateStart = statusLine(status).length
    this.bodyStart = head.length
    // The bytes have a buffer of their own, which can be freed explicitly.
    this.wire = Buffer.from(new ArrayBuffer(head.length + (bytes?.length ?? 0)))
    this.wire.write(head, 'latin1')
    if (bytes) this.wire.set(bytes, head.length)
    this.descriptor = body instanceof Blob ? openSync(body.place.file, 'r') : null
    this.file = body instanceof Blob ? body : null
  }

  /** Registers one more user. */
  handedOut(): this {
    this.users++
    return this
  }

  bytes(): Buffer {
    const now = httpDate()
    if (now !== this.date) {
      this.date = now
      this.wire.write(now, this.dateStart, 'latin1')
    }
    return this.wire
  }

  done(): void {
    this.users--
    this.freeIfUnused()
  }

  /**
   * Called when no new request will get this answer. Its memory is freed as soon as the last user is done:
   * the garbage collector is so late that the bytes would pile up.
   */
  drop(): void {
    this.isDropped = true
    this.freeIfUnused()
  }

  private freeIfUnused(): void {
    if (!this.isDropped || this.users > 0) return
    freeMemory(this.wire)
    if (this.descriptor !== null) closeSync(this.descriptor)
  }

  /** The same answer as a `Response` that may be changed. The call replaces the call of `done`. */
  response(): Response {
    const bytes = this.wire.length > this.bodyStart ? this.wire.subarray(this.bodyStart) : null
    const { status, headers, file } = this
    const response = answerWith(file ?? (bytes as Uint8Array<ArrayBuffer> | null), {
      status,
      headers: { ...headers },
    })
    this.done()
    return response
  }
}

export type Answer = Response | ReadyAnswer

export const responseOf = (answer: Answer) => (answer instanceof ReadyAnswer ? answer.response() : answer)
