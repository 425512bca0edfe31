/** One connection: reads its requests one after the other, has each answered, and decides when to close. */
import { Exchange, type ExchangeParts } from './exchange.ts'
import type { Refusal, RequestHandlers } from './http-server.ts'
import { FramingError } from './receiving/framing.ts'
import { MAX_HEAD_BYTES, mayBeginHead, parseHead, type RefusalStatus } from './receiving/request-head.ts'
import { compactBytes, freeMemory, joinBytes } from './sending/memory.ts'
import { sendAnswer } from './sending/send-answer.ts'
import { Sender } from './sending/sender.ts'
import type { SendfileCalls } from './sending/sendfile.ts'

/**
 * Number of checks (calls of `check`) without traffic after which a connection is closed, and within which
 * the head of a request must arrive: one minute (`CHECK_INTERVAL` in `server.ts`).
 */
const MAX_IDLE_CHECKS = 12
/**
 * Minimum number of bytes of a body that must arrive during `MAX_IDLE_CHECKS` checks: 500 per second, as in
 * Apache's `mod_reqtimeout`.
 */
const MIN_BODY_BYTES = 30_000
/** Milliseconds within which a new client is expected to send its first request. */
const FIRST_REQUEST_TIMEOUT = 500
/**
 * Number of checks for which we wait, after closing our sending side, for the client to close the connection.
 */
const MAX_LINGERING_CHECKS = 2

const MAX_EMPTY_LINES = 100

const HEAD_END = Buffer.from('\r\n\r\n')
const HEAD_METHOD = 'HEAD '
const [CARRIAGE_RETURN, LINE_FEED] = [0x0d, 0x0a]

const REFUSAL_BY_STATUS: Readonly<Record<RefusalStatus, Refusal>> = {
  400: 'malformed',
  431: 'head-too-large',
  505: 'version-unknown',
}

interface ConnectionParts
  extends RequestHandlers,
    Pick<ExchangeParts, 'remainderLimits' | 'isEnding' | 'onAnswered'> {
  sendfileCalls: SendfileCalls | null
  /** Increments and returns a counter that all connections share. */
  nextUse(): number
  onRequest(): void
  /** Makes the server call `pump` at the end of this event loop iteration. */
  schedule(connection: Connection): void
}

export class Connection {
  /** Received bytes that cannot be processed yet: an incomplete head, or pipelined requests. */
  private unreadBytes: Buffer | null = null
  private exchange: Exchange | null = null
  private isPaused = false
  /** Whether bytes that arrive are ignored. */
  private ignoresInput = false
  /** Whether the client has closed its sending side. */
  private hasClientEnded = false
  /** Whether we have closed our sending side. */
  private isEnded = false
  /**
   * Whether a request or the connection was refused, so that an error answer is being made or sent, or was
   * sent.
   */
  private isRefusing = false
  private isClosed = false
  private ignoredBytes = 0
  private readonly openedAt = performance.now()
  private hasSentRequest = false
  /** Value of `nextUse` when the connection was opened or its last request was completed. */
  lastUse: number
  private idleChecks = 0
  private headChecks = 0
  /** Number of checks since the speed of the arriving body was last measured. */
  private bodyChecks = 0
  /** Number of empty lines that arrived before the next head. */
  private emptyLineCount = 0
  private readonly sender: Sender
  private readonly exchangeParts: ExchangeParts

  constructor(
    private readonly socket: Bun.Socket<unknown>,
    private readonly server: ConnectionParts,
  ) {
    this.lastUse = server.nextUse()
    this.sender = new Sender({
      socket,
      sendfileCalls: server.sendfileCalls,
      onSent: () => (this.exchange ? this.exchange.onSent() : this.end()),
      onFailed: () => this.fail(),
      schedule: () => server.schedule(this),
    })
    this.exchangeParts = {
      ...server,
      socket,
      sender: this.sender,
      pause: () => this.pause(),
      resume: () => this.resume(),
      onComplete: () => this.onExchangeComplete(),
    }
  }

  // Events of the socket

  onData(bytes: Buffer): void {
    if (this.ignoresInput) {
      this.ignoredBytes += bytes.length
      freeMemory(bytes)
      if (this.ignoredBytes > this.server.remainderLimits.bytes) this.socket.end()
      return
    }
    this.idleChecks = 0
    const { unreadBytes } = this
    this.unreadBytes = null
    this.take(unreadBytes ? joinBytes(unreadBytes, bytes) : bytes)
  }

  onDrain(): void {
    this.idleChecks = 0
    this.sender.pump()
  }

  /**
   * Called when the client has closed its sending side or disconnected. We learn which of the two only when
   * we send something: a disconnected client replies with a reset. So complete requests are answered in
   * either case.
   */
  onClientEnd(): void {
    this.hasClientEnded = true
    this.closeUnlessAnswerDue()
  }

  /** Closes the connection of a client that sends nothing more, unless an answer is still due. */
  private closeUnlessAnswerDue(): void {
    const { exchange } = this
    if (exchange?.canBeAnswered) exchange.stopWaiting()
    else if (!this.isRefusing) this.socket.end()
  }

  onClose(): void {
    this.ignoresInput = true
    this.isClosed = true
    try {
      this.exchange?.abandon()
    } finally {
      this.exchange = null
      this.sender.release()
    }
  }

  // Receiving

  private take(bytes: Buffer): void {
    let remainingBytes: Buffer | null = bytes
    try {
      if (this.exchange?.takesBody) remainingBytes = this.exchange.take(bytes)
    } catch (error) {
      if (!(error instanceof FramingError)) throw error
      this.refuse('chunks-broken')
    }
    if (!remainingBytes || this.ignoresInput) return
    if (this.exchange) this.keepUnread(remainingBytes)
    else this.takeHead(remainingBytes)
  }

  /**
   * Keeps pipelined bytes. If they exceed `MAX_HEAD_BYTES`, reading from the socket is paused until the
   * current request is complete.
   */
  private keepUnread(bytes: Buffer): void {
    this.unreadBytes = compactBytes(bytes)
    if (bytes.length > MAX_HEAD_BYTES) this.pause()
  }

  private takeHead(bytes: Buffer): void {
    let start = 0
    // RFC 9112 section 2.2: some clients send an empty line after a body.
    while (bytes[start] === CARRIAGE_RETURN && bytes[start + 1] === LINE_FEED) start += 2
    this.emptyLineCount += start / 2
    if (this.emptyLineCount > MAX_EMPTY_LINES) this.refuse('malformed')
    if (start === bytes.length || this.ignoresInput) return
    const end = bytes.indexOf(HEAD_END, start)
    if ((end < 0 ? bytes.length : end) - start > MAX_HEAD_BYTES)
      this.refuse('head-too-large', isHeadRequest(bytes, start))
    else if (end >= 0) this.readHead(bytes, start, end)
    else if (mayBecomeHead(bytes, start)) this.unreadBytes = compactBytes(bytes.subarray(start))
    else this.refuse('malformed')
  }

  private readHead(bytes: Buffer, start: number, end: number): void {
    const text = bytes.toString('latin1', start, end + 2)
    const head = parseHead(text)
    if (typeof head === 'number') {
      this.refuse(REFUSAL_BY_STATUS[head], isHeadRequest(bytes, start))
      return
    }
    this.headChecks = 0
    this.bodyChecks = 0
    this.emptyLineCount = 0
    this.hasSentRequest = true
    const exchange = new Exchange(head, this.exchangeParts)
    this.exchange = exchange
    this.server.onRequest()
    const bodyStart = end + HEAD_END.length
    if (bodyStart < bytes.length) this.take(bytes.subarray(bodyStart))
    // `this.exchange` has changed if the bytes after the head were refused as an invalid body.
    if (this.exchange === exchange) exchange.handle()
  }

  private pause(): void {
    if (this.isPaused) return
    this.isPaused = true
    this.socket.pause()
  }

  private resume(): void {
    if (!this.isPaused || this.hasClientEnded) return
    this.isPaused = false
    this.socket.resume()
  }

  // Sending

  pump(): void {
    this.sender.pump()
  }

  /**
   * Whether no request is being received or answered. An incomplete head does not count as a request, because
   * its end may never come.
   */
  get isIdle(): boolean {
    return !this.exchange && !this.sender.isBusy && !this.isRefusing
  }

  close(): void {
    this.socket.end()
  }

  fail(): void {
    this.socket.terminate()
  }

  private onExchangeComplete(): void {
    const isLast = this.exchange?.isLast ?? true
    this.exchange = null
    this.lastUse = this.server.nextUse()
    if (isLast) {
      this.end()
      return
    }
    this.resume()
    const { unreadBytes } = this
    this.unreadBytes = null
    if (unreadBytes) this.take(unreadBytes)
    if (this.hasClientEnded) this.closeUnlessAnswerDue()
  }

  /**
   * Refuses a malformed, incomplete or slow request, or a connection above the limits: answers with an error
   * and closes the connection. If an answer to the request is already being sent or was sent, only closes the
   * connection.
   */
  refuse(refusal: Refusal, isHead = this.exchange?.isHead ?? false): void {
    const { exchange, sender, server } = this
    this.exchange = null
    this.unreadBytes = null
    this.emptyLineCount = 0
    this.ignoresInput = true
    exchange?.abandon()
    // An answer that is already being sent cannot be replaced with an error.
    if (sender.isBusy) this.socket.terminate()
    else if (exchange?.isSent) this.end()
    else {
      const context = { isHead, supportsChunks: false, isLast: true, isConnected: () => !this.isClosed }
      this.isRefusing = true
      sendAnswer(sender, server.refuse(refusal), context).catch(() => this.fail())
    }
  }

  // Closing

  /**
   * Closes our sending side and, if the client has not closed its side, waits for that. If we closed the
   * connection at once while the client is still sending, it would be reset and the client might lose its
   * answer.
   */
  private end(): void {
    this.ignoresInput = true
    this.isEnded = true
    this.idleChecks = 0
    this.resume()
    if (this.hasClientEnded) this.socket.end()
    else this.socket.shutdown()
  }

  /** Whether a request is probably arriving: its head is incomplete, or the client has just connected. */
  isRequestExpected(): boolean {
    if (this.exchange || this.ignoresInput) return false
    const hasJustConnected = !this.hasSentRequest && this.openedAt + FIRST_REQUEST_TIMEOUT > performance.now()
    return this.unreadBytes !== null || hasJustConnected
  }

  /**
   * Called when the server stops: closes the connection now if it is idle, otherwise after the current
   * answer.
   */
  finish(): void {
    this.exchange?.stopWaiting()
    if (this.isIdle) this.end()
  }

  /**
   * Called every few seconds, to close the connection of a client that neither sends nor reads, or sends too
   * slowly.
   */
  check(): void {
    const isInHead = !this.exchange && (this.unreadBytes !== null || this.emptyLineCount > 0)
    if (isInHead && ++this.headChecks > MAX_IDLE_CHECKS) {
      this.refuse('too-slow')
      return
    }
    // Tries to send again, because with a slow reader it may take minutes until the system reports that the
    // socket accepts more bytes.
    if (this.sender.hasUnsentBytes && this.sender.tryPump()) this.idleChecks = 0
    if (this.hasClientEnded) {
      this.exchange?.probe()
      this.closeUnlessAnswerDue()
    }
    if (this.exchange?.isOurTurn(this.isPaused)) {
      this.bodyChecks = 0
      if (!this.sender.hasUnsentBytes) return
    }
    if (this.exchange?.isReceiving && ++this.bodyChecks > MAX_IDLE_CHECKS) {
      this.bodyChecks = 0
      if (this.exchange.takeReceivedBytes() < MIN_BODY_BYTES) {
        this.refuse('too-slow')
        return
      }
    }
    if (++this.idleChecks <= (this.isEnded ? MAX_LINGERING_CHECKS : MAX_IDLE_CHECKS)) return
    if (this.isEnded) this.socket.end()
    else if (this.sender.isBusy) this.fail()
    else if (this.exchange) this.refuse('too-slow')
    else this.end()
  }
}

/**
 * Whether the bytes from `start` on can be the beginning of a head. False for TLS, a bare line feed and the
 * like, so that such a request is refused immediately.
 */
function mayBecomeHead(bytes: Buffer, start: number): boolean {
  for (let end = bytes.indexOf(LINE_FEED, start); end >= 0; end = bytes.indexOf(LINE_FEED, end + 1))
    if (bytes[end - 1] !== CARRIAGE_RETURN) return false
  return mayBeginHead(bytes[start]!)
}

/**
 * Whether the bytes from `start` on begin with the method HEAD. The answer to such a request has no body,
 * even if the request is malformed.
 */
const isHeadRequest = (bytes: Buffer, start: number) =>
  bytes.toString('latin1', start, start + HEAD_METHOD.length) === HEAD_METHOD
