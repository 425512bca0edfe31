/** One request of a connection and its answer. */

import type { Handlers } from './http-server.ts'
import { type Framing, framingOf } from './receiving/framing.ts'
import { IncomingBody } from './receiving/incoming-body.ts'
import { ReceivedRequest } from './receiving/received-request.ts'
import type { RequestHead } from './receiving/request-head.ts'
import { Rest, type RestLimits } from './receiving/rest.ts'
import { type Answer, ReadyAnswer, responseOf, StreamAnswer } from './sending/answers.ts'
import { freeMemory } from './sending/memory.ts'
import { sendAnswer } from './sending/send-answer.ts'
import type { Sender } from './sending/sender.ts'

export interface ExchangeParts extends Handlers {
  socket: Bun.Socket<unknown>
  sender: Sender
  restLimits: RestLimits
  /** Whether every connection is to be closed after its next answer. */
  isEnding(): boolean
  /** Stops and resumes reading from the socket. */
  pause(): void
  resume(): void
  /** Called when the answer was sent, or is not needed any more. */
  answered(): void
  /** Called when both the request and its answer are complete. */
  over(): void
}

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n'

export class Exchange {
  /** Whether the connection is closed after this answer. */
  isLast: boolean
  /** Whether the whole answer was handed to the kernel. */
  isSent = false
  private readonly request: ReceivedRequest
  private readonly body: IncomingBody | null
  /** How the body is framed; null once the body is complete. */
  private framing: Framing | null
  private rest: Rest | null = null
  /** An answer that was made before the end of the body and waits for that end. */
  private waiting: Answer | null = null
  private expectsContinue: boolean
  private received = 0
  private isAbandoned = false
  /** Whether the answer is a stream that ends only when the client leaves. */
  private isEndless = false

  constructor(
    private readonly head: RequestHead,
    private readonly parts: ExchangeParts,
  ) {
    this.isLast = !head.keepAlive
    this.expectsContinue = head.expectsContinue
    this.framing = head.length === 0 ? null : framingOf(head.length)
    this.body = this.framing && new IncomingBody({ wanted: () => this.onBodyWanted(), full: parts.pause })
    this.request = new ReceivedRequest(head, this.body, parts.socket)
  }

  get isHead(): boolean {
    return this.head.method === 'HEAD'
  }

  get takesBody(): boolean {
    return this.framing !== null
  }

  /** Takes the body's bytes and returns those that follow it, if any. Throws if the framing is invalid. */
  take(bytes: Buffer): Buffer | null {
    const framing = this.framing!
    const { taken, part } = framing.take(bytes)
    this.expectsContinue = false
    this.received += taken
    if (this.rest) {
      this.rest.onDiscarded(taken)
      freeMemory(part)
    } else if (part.length > 0) this.body?.push(part)
    if (framing.ended) this.onBodyEnd()
    return taken < bytes.length ? bytes.subarray(taken) : null
  }

  private onBodyEnd(): void {
    this.framing = null
    this.body?.end()
    this.rest?.end()
    // While reading is paused, we would not notice that the client disconnects.
    this.parts.resume()
  }

  private onBodyWanted(): void {
    if (this.expectsContinue) this.sendContinue()
    this.expectsContinue = false
    this.parts.resume()
  }

  private sendContinue(): void {
    // A client that has no room even for this line has stopped reading.
    if (this.parts.socket.write(CONTINUE) < CONTINUE.length) this.parts.socket.terminate()
  }

  /**
   * Whether a client that sends nothing more can still be answered: its request is complete, or an answer was
   * made.
   */
  get canBeAnswered(): boolean {
    return !this.isEndless && (this.framing === null || this.rest !== null || this.parts.sender.isBusy)
  }

  /**
   * While an answer is being made for a client that sends nothing more, sends an interim answer to find out
   * whether the client is still connected. Clients skip interim answers (RFC 9110 section 15.2.1), except in
   * HTTP/1.0.
   */
  probe(): void {
    const isMade = this.isSent || this.parts.sender.isBusy || this.framing !== null
    if (!isMade && this.head.knowsChunks) this.sendContinue()
  }

  handle(): void {
    const { fetch, error } = this.parts
    let answer: Answer | Promise<Answer>
    try {
      answer = fetch(this.request)
    } catch (cause) {
      answer = error(cause)
    }
    if (answer instanceof Promise)
      answer
        .then(
          given => this.answer(given),
          cause => this.answer(error(cause)),
        )
        .catch(() => this.parts.socket.terminate())
    else this.answer(answer)
  }

  private answer(answer: Answer): void {
    if (this.isAbandoned) discardAnswer(answer)
    else if (this.framing && !this.expectsContinue) this.answerEarly(answer)
    else this.send(answer)
  }

  /**
   * Lets an early answer wait a moment for the end of the body. If the end does not arrive, the connection is
   * closed after the answer.
   */
  private answerEarly(answer: Answer): void {
    this.waiting = answer
    // GET and HEAD have no body worth waiting for.
    const isReading = this.head.method === 'GET' || this.isHead
    const limits = isReading ? { ...this.parts.restLimits, bytes: 0 } : this.parts.restLimits
    this.rest = new Rest(limits, { graceOver: () => this.sendWaiting(), over: () => this.restOver() })
    this.body?.breakOff()
    this.parts.resume()
    if (this.parts.isEnding()) this.rest.end()
  }

  private sendWaiting(): void {
    const { waiting } = this
    this.waiting = null
    if (waiting) this.send(waiting)
  }

  private restOver(): void {
    this.rest = null
    this.sendWaiting()
    if (this.isSent) this.parts.over()
  }

  private send(answer: Answer): void {
    const { sender, isEnding, socket } = this.parts
    this.isLast ||= this.framing !== null || isEnding()
    this.isEndless = answer instanceof StreamAnswer && answer.isEndless
    if (answer instanceof ReadyAnswer && !this.isLast && !this.isHead) sender.sendReady(answer)
    else this.sendResponse(responseOf(answer)).catch(() => socket.terminate())
  }

  private async sendResponse(response: Response): Promise<void> {
    const { sender, error } = this.parts
    const { isHead } = this
    const { knowsChunks } = this.head
    const asking = { isHead, knowsChunks, isLast: this.isLast, isThere: () => !this.isAbandoned }
    try {
      await sendAnswer(sender, response, asking)
    } catch (cause) {
      // The body could not be read.
      if (!this.isAbandoned) await sendAnswer(sender, error(cause), asking)
    }
  }

  onSent(): void {
    this.isSent = true
    this.parts.answered()
    if (!this.rest) this.parts.over()
  }

  /** Whether the client is waiting for us, and not we for the client. */
  isOurTurn(isPaused: boolean): boolean {
    return !this.isSent && (this.framing === null || isPaused || this.expectsContinue)
  }

  /** Whether a body is arriving that the handler reads. */
  get isReceiving(): boolean {
    return this.framing !== null && this.rest === null
  }

  /** Bytes of the body that arrived since the last call. */
  takeReceived(): number {
    const { received } = this
    this.received = 0
    return received
  }

  /** Stops waiting for the rest of a body whose request was answered. */
  stopWaiting(): void {
    this.rest?.end()
  }

  /** Called when the client has disconnected, or its request was refused. */
  abandon(): void {
    this.isAbandoned = true
    this.rest?.forget()
    this.rest = null
    if (this.waiting) discardAnswer(this.waiting)
    this.waiting = null
    if (this.isSent) return
    this.request.abandon()
    this.parts.answered()
  }
}

/** Frees an answer that will not be sent. */
function discardAnswer(answer: Answer): void {
  if (answer instanceof ReadyAnswer) answer.done()
  else if (answer instanceof StreamAnswer) void answer.source.cancel().catch(() => {})
}
