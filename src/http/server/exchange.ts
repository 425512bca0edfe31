/** One request of a connection and its answer. */

import type { Handlers } from './http-server.ts'
import { type Framing, framingOf } from './receiving/framing.ts'
import { IncomingBody } from './receiving/incoming-body.ts'
import { ReceivedRequest } from './receiving/received-request.ts'
import type { RequestHead } from './receiving/request-head.ts'
import { Rest, type RestLimits } from './receiving/rest.ts'
import { type Answer, ReadyAnswer, responseOf, StreamAnswer } from './sending/answers.ts'
import { free } from './sending/memory.ts'
import { sendAnswer } from './sending/send-answer.ts'
import type { Sender } from './sending/sender.ts'

export interface ExchangeParts extends Handlers {
  socket: Bun.Socket<unknown>
  sender: Sender
  restLimits: RestLimits
  /** Whether every connection is to end with its next answer. */
  isEnding(): boolean
  /** The client is to send no more for now, or may go on. */
  pause(): void
  resume(): void
  /** The request has its answer, or needs none any more. */
  answered(): void
  /** Both the request and its answer are at their end. */
  over(): void
}

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n'

export class Exchange {
  /** Whether the connection ends with this answer. */
  isLast: boolean
  /** Whether the whole answer was handed to the system. */
  isSent = false
  private readonly request: ReceivedRequest
  private readonly body: IncomingBody | null
  /** Of the body, until all of it has come. */
  private framing: Framing | null
  private rest: Rest | null = null
  /** An early answer, while it waits for the end of the body. */
  private waiting: Answer | null = null
  private expectsContinue: boolean
  private received = 0
  private isAbandoned = false
  /** Whether the answer only ends with its client. */
  private isEndless = false

  constructor(
    private readonly head: RequestHead,
    private readonly my: ExchangeParts,
  ) {
    this.isLast = !head.keepAlive
    this.expectsContinue = head.expectsContinue
    this.framing = head.length === 0 ? null : framingOf(head.length)
    this.body = this.framing && new IncomingBody({ wanted: () => this.bodyWanted(), full: my.pause })
    this.request = new ReceivedRequest(head, this.body, my.socket)
  }

  get isHead(): boolean {
    return this.head.method === 'HEAD'
  }

  /** Whether bytes that come belong to the body. */
  get takesBody(): boolean {
    return this.framing !== null
  }

  /** Takes what belongs to the body and answers what follows it, if anything. Throws when it is none. */
  take(bytes: Buffer): Buffer | null {
    const framing = this.framing!
    const { taken, part } = framing.take(bytes)
    this.expectsContinue = false
    this.received += taken
    if (this.rest) {
      this.rest.came(taken)
      free(part)
    } else if (part.length > 0) this.body?.push(part)
    if (framing.ended) this.bodyEnded()
    return taken < bytes.length ? bytes.subarray(taken) : null
  }

  private bodyEnded(): void {
    this.framing = null
    this.body?.end()
    this.rest?.end()
    // Otherwise nobody would notice that the client leaves.
    this.my.resume()
  }

  private bodyWanted(): void {
    if (this.expectsContinue) this.sendContinue()
    this.expectsContinue = false
    this.my.resume()
  }

  private sendContinue(): void {
    // A client that does not take even this has stopped reading.
    if (this.my.socket.write(CONTINUE) < CONTINUE.length) this.my.socket.terminate()
  }

  /** Whether a client that sends no more can have its answer: its request has come whole, or the answer is there already. */
  get canBeAnswered(): boolean {
    return !this.isEndless && (this.framing === null || this.rest !== null || this.my.sender.isBusy)
  }

  /**
   * Asks whether a client that sends no more is still there, while its answer is being made. Every client passes over an
   * interim answer (RFC 9110 section 15.2.1), except in HTTP/1.0.
   */
  probe(): void {
    const isMade = this.isSent || this.my.sender.isBusy || this.framing !== null
    if (!isMade && this.head.knowsChunks) this.sendContinue()
  }

  /** Has the request answered. */
  ask(): void {
    const { fetch, error } = this.my
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
        .catch(() => this.my.socket.terminate())
    else this.answer(answer)
  }

  private answer(answer: Answer): void {
    if (this.isAbandoned) letGo(answer)
    else if (this.framing && !this.expectsContinue) this.answerEarly(answer)
    else this.send(answer)
  }

  /** The answer waits a moment for the end of the body. If it does not come, the connection ends after the answer. */
  private answerEarly(answer: Answer): void {
    this.waiting = answer
    // Who asks for something has nothing to send.
    const isReading = this.head.method === 'GET' || this.isHead
    const limits = isReading ? { ...this.my.restLimits, bytes: 0 } : this.my.restLimits
    this.rest = new Rest(limits, { graceOver: () => this.sendWaiting(), over: () => this.restOver() })
    this.body?.cut()
    this.my.resume()
    if (this.my.isEnding()) this.rest.end()
  }

  private sendWaiting(): void {
    const { waiting } = this
    this.waiting = null
    if (waiting) this.send(waiting)
  }

  private restOver(): void {
    this.rest = null
    this.sendWaiting()
    if (this.isSent) this.my.over()
  }

  private send(answer: Answer): void {
    const { sender, isEnding, socket } = this.my
    this.isLast ||= this.framing !== null || isEnding()
    this.isEndless = answer instanceof StreamAnswer && answer.isEndless
    if (answer instanceof ReadyAnswer && !this.isLast && !this.isHead) sender.sendReady(answer)
    else this.sendResponse(responseOf(answer)).catch(() => socket.terminate())
  }

  private async sendResponse(response: Response): Promise<void> {
    const { sender, error } = this.my
    const { isHead } = this
    const { knowsChunks } = this.head
    const asking = { isHead, knowsChunks, isLast: this.isLast, isThere: () => !this.isAbandoned }
    try {
      await sendAnswer(sender, response, asking)
    } catch (cause) {
      // Its bytes cannot be had.
      if (!this.isAbandoned) await sendAnswer(sender, error(cause), asking)
    }
  }

  /** The sender has handed the whole answer to the system. */
  sent(): void {
    this.isSent = true
    this.my.answered()
    if (!this.rest) this.my.over()
  }

  /** Whether the client is waiting for us, and not we for the client. */
  isOurTurn(isPaused: boolean): boolean {
    return !this.isSent && (this.framing === null || isPaused || this.expectsContinue)
  }

  /** Whether a body is on its way that somebody wants. */
  get isReceiving(): boolean {
    return this.framing !== null && this.rest === null
  }

  /** Bytes of the body that have come since this was last asked. */
  takeReceived(): number {
    const { received } = this
    this.received = 0
    return received
  }

  /** No more of the body is waited for once there is an answer. */
  hurry(): void {
    this.rest?.end()
  }

  /** The client has gone, or what it sent is no request. */
  abandon(): void {
    this.isAbandoned = true
    this.rest?.forget()
    this.rest = null
    if (this.waiting) letGo(this.waiting)
    this.waiting = null
    if (this.isSent) return
    this.request.abandon()
    this.my.answered()
  }
}

/** Nobody is there to take it. */
function letGo(answer: Answer): void {
  if (answer instanceof ReadyAnswer) answer.done()
  else if (answer instanceof StreamAnswer) void answer.source.cancel().catch(() => {})
}
