/** The kinds of answers that the server sends otherwise than as the few bytes of a `Response`. */
import { closeSync, openSync } from 'node:fs'
import { headText, httpDate, statusLine } from './head-text.ts'
import { free } from './memory.ts'

/** A file of this machine, or a range of its bytes. */
export interface SentFile extends Blob {
  readonly place: { file: string; start: number; end: number }
}

const isSentFile = (blob: Blob): blob is SentFile => 'place' in blob

/**
 * An answer whose bytes are made while the client takes them. `isEndless`: it only ends with its client, whose end of sending
 * counts as its leaving: nothing else would tell.
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

/** An answer whose bytes lie in a file of this machine, from where the kernel sends them. */
export class FileAnswer extends Response {
  constructor(
    readonly file: SentFile,
    init?: ResponseInit,
  ) {
    super(file, init)
  }
}

export type AnswerBody = Uint8Array<ArrayBuffer> | Blob | ReadableStream<Uint8Array> | null

/** The answer with this body, sent in the way that suits it. */
export function answerWith(body: AnswerBody, init: ResponseInit): Response {
  if (body instanceof ReadableStream) return new StreamAnswer(body, init)
  return body instanceof Blob && isSentFile(body) ? new FileAnswer(body, init) : new Response(body, init)
}

/**
 * An answer that lies ready as it goes over the wire, for every reader anew: only its date changes. Its body lies behind its
 * head, or in a file that stays open. Who is handed one calls `done` when it has gone out.
 */
export class ReadyAnswer {
  private readonly wire: Buffer
  private readonly bodyStart: number
  /** The file that holds the body, which stays open. */
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
    // Memory of its own, which can be given up at once.
    this.wire = Buffer.from(new ArrayBuffer(head.length + (bytes?.length ?? 0)))
    this.wire.write(head, 'latin1')
    if (bytes) this.wire.set(bytes, head.length)
    this.descriptor = body instanceof Blob ? openSync(body.place.file, 'r') : null
    this.file = body instanceof Blob ? body : null
  }

  /** The answer, for one more reader. */
  handedOut(): this {
    this.users++
    return this
  }

  /** What goes over the wire. */
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
    this.free()
  }

  /** Nobody will ask for it any more. The garbage collector would free its bytes so late that they pile up. */
  drop(): void {
    this.isDropped = true
    this.free()
  }

  private free(): void {
    if (!this.isDropped || this.users > 0) return
    free(this.wire)
    if (this.descriptor !== null) closeSync(this.descriptor)
  }

  /** The same answer, to be changed by others; it is done with this one. */
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

/** What a handler may answer. */
export type Answer = Response | ReadyAnswer

export const responseOf = (answer: Answer) => (answer instanceof ReadyAnswer ? answer.response() : answer)
