/** One request of a connection and its answer. */

import { type Answer, ReadyAnswer, responseOf, StreamAnswer } from './answers.ts'
import type { RequestHandlers } from './http-server.ts'
import { BodyRemainder, type RemainderLimits } from './receiving/body-remainder.ts'
import { type Framing, framingOf } from './receiving/framing.ts'
import { IncomingBody } from './receiving/incoming-body.ts'
import { ReceivedRequest } from './receiving/received-request.ts'
import type { RequestHead } from './receiving/request-head.ts'
import { freeMemory } from './sending/memory.ts'
import { sendAnswer } from './sending/send-answer.ts'
import type { Sender } from './sending/sender.ts'

export interface ExchangeParts extends RequestHandlers {
  socket: Bun.Socket<unknown>
  sender: Sender
  remainderLimits: RemainderLimits
  /** Whether the server is stopping, so that every connection is closed after its next answer. */
  isEnding(): boolean
  /** Stops reading from the socket until `resume` is called. */
  pause(): void
  resume(): void
  /** Called when the answer was sent, or is not needed any more. */
  onAnswered(): void
  /** Called when the answer was sent and no more bytes of the request are awaited. */
  onComplete(): void
}

const CONTINUE_ANSWER = 'HTTP/1.1 100 Continue\r\n\r\n'

export class Exchange {
  /** Whether the connection is closed after the answer. */
  isLast: boolean
  /** Whether the kernel has accepted the whole answer. */
  isSent = false
  private readonly request: ReceivedRequest
  private readonly body: IncomingBody | null
  /** Decodes the body from the received bytes; null if there is no body, or once it is complete. */
  private framing: Framing | null
  private remainder: BodyRemainder | null = null
  /**
   * An answer that was made before the body had ended. It is sent when the body ends, but at the latest
   * `RemainderLimits.grace` milliseconds after it was made.
   */
  private waitingAnswer: Answer | null = null
  private expectsContinue: boolean
  private receivedBytes = 0
  private isAbandoned = false
  /** Whether the answer is a stream that ends only when the client disconnects. */
  private isEndless = false

  constructor(
    private readonly head: RequestHead,
    private readonly parts: ExchangeParts,
  ) {
    this.isLast = !head.keepAlive
    this.expectsContinue = head.expectsContinue
    this.framing = head.length === 0 ? null : framingOf(head.length)
    this.body = this.framing && new IncomingBody({ onWanted: () => this.onBodyWanted(), onFull: parts.pause })
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
    const { consumedLength, data } = framing.take(bytes)
    this.expectsContinue = false
    this.receivedBytes += consumedLength
    if (this.remainder) {
      this.remainder.onDiscarded(consumedLength)
      freeMemory(data)
    } else if (data.length > 0) this.body?.push(data)
    if (framing.isEnded) this.onBodyEnd()
    return consumedLength < bytes.length ? bytes.subarray(consumedLength) : null
  }

  private onBodyEnd(): void {
    this.framing = null
    this.body?.end()
    this.remainder?.end()
    // While reading is paused, we would not notice that the client disconnects.
    this.parts.resume()
  }

  private onBodyWanted(): void {
    if (this.expectsContinue) this.sendContinue()
    this.expectsContinue = false
    this.parts.resume()
  }

  private sendContinue(): void {
    // If the socket does not accept even this line, the client has stopped reading.
    if (this.parts.socket.write(CONTINUE_ANSWER) < CONTINUE_ANSWER.length) this.parts.socket.terminate()
  }

  /**
   * Whether a client that sends nothing more can still be answered: its request is complete, or an answer was
   * made. False for an answer that ends only when the client disconnects.
   */
  get canBeAnswered(): boolean {
    return !this.isEndless && (this.framing === null || this.remainder !== null || this.parts.sender.isBusy)
  }

  /**
   * While an answer is being made for a client that sends nothing more, sends an interim answer to find out
   * whether the client is still connected. HTTP/1.1 clients skip interim answers (RFC 9110 section 15.2.1);
   * HTTP/1.0 clients do not know them and get none.
   */
  probe(): void {
    const isAnswerBeingMade = !this.isSent && !this.parts.sender.isBusy && this.framing === null
    if (isAnswerBeingMade && this.head.supportsChunks) this.sendContinue()
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
          result => this.answer(result),
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
   * Delays an early answer until the body ends, by `RemainderLimits.grace` milliseconds at most. If the body
   * has not ended when the answer is sent, the connection is closed after the answer.
   */
  private answerEarly(answer: Answer): void {
    this.waitingAnswer = answer
    // GET and HEAD have no body worth waiting for.
    const isReadMethod = this.head.method === 'GET' || this.isHead
    const limits = isReadMethod ? { ...this.parts.remainderLimits, bytes: 0 } : this.parts.remainderLimits
    this.remainder = new BodyRemainder(limits, {
      onGraceOver: () => this.sendWaitingAnswer(),
      onOver: () => this.onRemainderOver(),
    })
    this.body?.breakOff()
    this.parts.resume()
    if (this.parts.isEnding()) this.remainder.end()
  }

  private sendWaitingAnswer(): void {
    const { waitingAnswer } = this
    this.waitingAnswer = null
    if (waitingAnswer) this.send(waitingAnswer)
  }

  private onRemainderOver(): void {
    this.remainder = null
    this.sendWaitingAnswer()
    if (this.isSent) this.parts.onComplete()
  }

  private send(answer: Answer): void {
    const { sender, isEnding, socket } = this.parts
    this.isLast ||= this.framing !== null || isEnding()
    this.isEndless = answer instanceof StreamAnswer && answer.isEndless
    if (answer instanceof ReadyAnswer && !this.isLast && !this.isHead) sender.sendReadyAnswer(answer)
    else this.sendResponse(responseOf(answer)).catch(() => socket.terminate())
  }

  private async sendResponse(response: Response): Promise<void> {
    const { sender, error } = this.parts
    const { isHead } = this
    const { supportsChunks } = this.head
    const context = { isHead, supportsChunks, isLast: this.isLast, isConnected: () => !this.isAbandoned }
    try {
      await sendAnswer(sender, response, context)
    } catch (cause) {
      // The file of the answer could not be opened, or its body could not be read. Nothing was sent.
      if (!this.isAbandoned) await sendAnswer(sender, error(cause), context)
    }
  }

  onSent(): void {
    this.isSent = true
    this.parts.onAnswered()
    if (!this.remainder) this.parts.onComplete()
  }

  /**
   * Whether the client waits for us: for the answer, for a 100 (Continue), or, while reading is paused, for
   * us to resume reading. Otherwise we wait for bytes of the client.
   */
  isOurTurn(isPaused: boolean): boolean {
    return !this.isSent && (this.framing === null || isPaused || this.expectsContinue)
  }

  /** Whether a body is arriving that the handler reads. */
  get isReceiving(): boolean {
    return this.framing !== null && this.remainder === null
  }

  /** Number of bytes of the body, including its framing, that arrived since the last call. */
  takeReceivedBytes(): number {
    const { receivedBytes } = this
    this.receivedBytes = 0
    return receivedBytes
  }

  /** If the answer was made before the body has ended, stops waiting for the rest of the body. */
  stopWaiting(): void {
    this.remainder?.end()
  }

  /** Called when the connection has closed, or the request was refused. */
  abandon(): void {
    this.isAbandoned = true
    this.remainder?.forget()
    this.remainder = null
    if (this.waitingAnswer) discardAnswer(this.waitingAnswer)
    this.waitingAnswer = null
    if (this.isSent) return
    this.request.abandon()
    this.parts.onAnswered()
  }
}

/** Frees an answer that will not be sent. */
function discardAnswer(answer: Answer): void {
  if (answer instanceof ReadyAnswer) answer.release()
  else if (answer instanceof StreamAnswer) void answer.source.cancel().catch(() => {})
}
