/** One connection: takes its requests one after the other, has each answered, and decides when it ends. */
import { Exchange, type ExchangeParts } from './exchange.ts'
import type { Handlers, Refusal } from './http-server.ts'
import { FramingError } from './receiving/framing.ts'
import { beginsHead, type Fault, HEAD_MOST, parseHead } from './receiving/request-head.ts'
import type { RestLimits } from './receiving/rest.ts'
import type { Kernel } from './sending/kernel.ts'
import { compact, free, joined } from './sending/memory.ts'
import { sendAnswer } from './sending/send-answer.ts'
import { Sender } from './sending/sender.ts'

/** Looks at a connection without any traffic after which it is closed: one minute, see `LOOK_EVERY`. */
const IDLE_LOOKS = 12
/** Bytes of a body that must come in that time: 500 a second, as Apache's `mod_reqtimeout` has it by default. */
const BODY_LEAST = 30_000
/** Milliseconds after which a client that has connected will have sent its request. */
const JUST_NOW = 500
/** Looks after its end in which the client may still send something without being told off. */
const LINGERING_LOOKS = 2

/** Empty lines before a request at the most. */
const EMPTY_LINES_MOST = 100

const HEAD_END = Buffer.from('\r\n\r\n')
const [CARRIAGE_RETURN, LINE_FEED] = [0x0d, 0x0a]

const FAULTS: Readonly<Record<Fault, Refusal>> = {
  400: 'malformed',
  431: 'head-too-large',
  505: 'version-unknown',
}

export interface Surroundings extends Handlers {
  kernel: Kernel | null
  restLimits: RestLimits
  /** Whether every connection is to end with its next answer. */
  isEnding(): boolean
  /** Numbers the uses of all connections. */
  nextUse(): number
  /** A request has begun, or has its answer. */
  begun(): void
  answered(): void
  /** Has `pump` called at the end of this turn of the event loop. */
  schedule(connection: Connection): void
}

export class Connection {
  /** What has come before it can be used: a part of a head, or requests that follow the one being answered. */
  private unread: Buffer | null = null
  private exchange: Exchange | null = null
  private isPaused = false
  /** Whether nothing that comes counts any more. */
  private isDeaf = false
  /** Whether the client has said that it sends no more. */
  private clientEnded = false
  /** Whether the client was told that nothing more comes. */
  private isEnded = false
  /** Whether the answer to a malformed request is being made or on its way. */
  private isRefusing = false
  private isClosed = false
  private overheard = 0
  private readonly opened = performance.now()
  private hasAsked = false
  /** Grows with each use of any connection. */
  lastUse: number
  private looks = 0
  private headLooks = 0
  /** Looks at a body for whose bytes we wait, since its speed was last measured. */
  private bodyLooks = 0
  /** Before the next head. */
  private emptyLines = 0
  private readonly sender: Sender
  private readonly exchangeParts: ExchangeParts

  constructor(
    private readonly socket: Bun.Socket<unknown>,
    private readonly around: Surroundings,
  ) {
    this.lastUse = around.nextUse()
    this.sender = new Sender({
      socket,
      kernel: around.kernel,
      sent: () => (this.exchange ? this.exchange.sent() : this.end()),
      failed: () => this.fail(),
      schedule: () => around.schedule(this),
    })
    this.exchangeParts = {
      ...around,
      ...{ socket, sender: this.sender },
      pause: () => this.pause(),
      resume: () => this.resume(),
      over: () => this.exchangeOver(),
    }
  }

  // What the runtime tells

  came(bytes: Buffer): void {
    if (this.isDeaf) {
      this.overheard += bytes.length
      free(bytes)
      if (this.overheard > this.around.restLimits.bytes) this.socket.end()
      return
    }
    this.looks = 0
    const { unread } = this
    this.unread = null
    this.take(unread ? joined(unread, bytes) : bytes)
  }

  hasRoom(): void {
    this.looks = 0
    this.sender.pump()
  }

  /**
   * The client sends no more: it has left, or has only ended its sending side. Requests that have come whole are answered.
   * A client that has left answers by a reset to whatever it is sent.
   */
  cameToEnd(): void {
    this.clientEnded = true
    this.endIfGone()
  }

  /** Ends the connection of a client that sends no more, unless there is something to answer. */
  private endIfGone(): void {
    const { exchange } = this
    if (exchange?.canBeAnswered) exchange.hurry()
    else if (!this.isRefusing) this.socket.end()
  }

  closed(): void {
    this.isDeaf = true
    this.isClosed = true
    try {
      this.exchange?.abandon()
    } finally {
      this.exchange = null
      this.sender.release()
    }
  }

  // What comes in

  private take(bytes: Buffer): void {
    let rest: Buffer | null = bytes
    try {
      if (this.exchange?.takesBody) rest = this.exchange.take(bytes)
    } catch (error) {
      if (!(error instanceof FramingError)) throw error
      this.refuse('chunks-broken')
    }
    if (!rest || this.isDeaf) return
    if (this.exchange) this.hold(rest)
    else this.takeHead(rest)
  }

  /** More than fits into a head is not taken before it is needed. */
  private hold(bytes: Buffer): void {
    this.unread = compact(bytes)
    if (bytes.length > HEAD_MOST) this.pause()
  }

  private takeHead(bytes: Buffer): void {
    let start = 0
    // RFC 9112 section 2.2: some clients send an empty line behind a body.
    while (bytes[start] === CARRIAGE_RETURN && bytes[start + 1] === LINE_FEED) start += 2
    this.emptyLines += start / 2
    if (this.emptyLines > EMPTY_LINES_MOST) this.refuse('malformed')
    if (start === bytes.length || this.isDeaf) return
    const end = bytes.indexOf(HEAD_END, start)
    if ((end < 0 ? bytes.length : end) - start > HEAD_MOST) this.refuse('head-too-large')
    else if (end >= 0) this.readHead(bytes, start, end)
    else if (mayBecomeHead(bytes, start)) this.unread = compact(bytes.subarray(start))
    else this.refuse('malformed')
  }

  private readHead(bytes: Buffer, start: number, end: number): void {
    const text = bytes.toString('latin1', start, end + 2)
    const head = parseHead(text)
    if (typeof head === 'number') {
      this.refuse(FAULTS[head], text.startsWith('HEAD '))
      return
    }
    this.headLooks = 0
    this.bodyLooks = 0
    this.emptyLines = 0
    this.hasAsked = true
    const exchange = new Exchange(head, this.exchangeParts)
    this.exchange = exchange
    this.around.begun()
    const bodyStart = end + HEAD_END.length
    if (bodyStart < bytes.length) this.take(bytes.subarray(bodyStart))
    // What follows may be no body.
    if (this.exchange === exchange) exchange.ask()
  }

  private pause(): void {
    if (this.isPaused) return
    this.isPaused = true
    this.socket.pause()
  }

  private resume(): void {
    if (!this.isPaused || this.clientEnded) return
    this.isPaused = false
    this.socket.resume()
  }

  // What goes out

  pump(): void {
    this.sender.pump()
  }

  /** Whether no request is being answered. A head that has begun to come does not count: a client may never finish it. */
  get isIdle(): boolean {
    return !this.exchange && !this.sender.isBusy && !this.isRefusing
  }

  /** Closes the connection at once. */
  giveUp(): void {
    this.socket.end()
  }

  /** Breaks off. */
  fail(): void {
    this.socket.terminate()
  }

  private exchangeOver(): void {
    const isLast = this.exchange?.isLast ?? true
    this.exchange = null
    this.lastUse = this.around.nextUse()
    if (isLast) {
      this.end()
      return
    }
    this.resume()
    const { unread } = this
    this.unread = null
    if (unread) this.take(unread)
    if (this.clientEnded) this.endIfGone()
  }

  /** Answers a malformed request, one whose end cannot be determined, one that does not come to its end, or one too many. */
  refuse(refusal: Refusal, isHead = this.exchange?.isHead ?? false): void {
    const { exchange, sender, around } = this
    this.exchange = null
    this.unread = null
    this.emptyLines = 0
    this.isDeaf = true
    exchange?.abandon()
    // An answer that is on its way cannot be taken back.
    if (sender.isBusy) this.socket.terminate()
    else if (exchange?.isSent) this.end()
    else {
      const asking = { isHead, knowsChunks: false, isLast: true, isThere: () => !this.isClosed }
      this.isRefusing = true
      sendAnswer(sender, around.refuse(refusal), asking).catch(() => this.fail())
    }
  }

  // The end

  /**
   * Tells the client that nothing more comes, and waits for it to close the connection. Closed from here while bytes of the
   * client are on their way, the connection would be reset and the client might lose its answer.
   */
  private end(): void {
    this.isDeaf = true
    this.isEnded = true
    this.looks = 0
    this.resume()
    if (this.clientEnded) this.socket.end()
    else this.socket.shutdown()
  }

  /** Whether a request is on its way, as far as can be told: its head has begun, or the client has just connected. */
  isAwaited(): boolean {
    if (this.exchange || this.isDeaf) return false
    const hasJustCome = !this.hasAsked && this.opened + JUST_NOW > performance.now()
    return this.unread !== null || hasJustCome
  }

  /** No more requests: ends at once when none is being worked on, otherwise after its answer. */
  finish(): void {
    this.exchange?.hurry()
    if (this.isIdle) this.end()
  }

  /** Called every few seconds. A client that neither sends nor takes anything is not waited for without end. */
  look(): void {
    const isInHead = !this.exchange && (this.unread !== null || this.emptyLines > 0)
    if (isInHead && ++this.headLooks > IDLE_LOOKS) {
      this.refuse('too-slow')
      return
    }
    // A slow reader may take minutes before the system tells that there is room again.
    if (this.sender.waits && this.sender.pumpsOn()) this.looks = 0
    if (this.clientEnded) {
      this.exchange?.probe()
      this.endIfGone()
    }
    if (this.exchange?.isOurTurn(this.isPaused)) {
      this.bodyLooks = 0
      if (!this.sender.waits) return
    }
    if (this.exchange?.isReceiving && ++this.bodyLooks > IDLE_LOOKS) {
      this.bodyLooks = 0
      if (this.exchange.takeReceived() < BODY_LEAST) {
        this.refuse('too-slow')
        return
      }
    }
    if (++this.looks <= (this.isEnded ? LINGERING_LOOKS : IDLE_LOOKS)) return
    if (this.isEnded) this.socket.end()
    else if (this.sender.isBusy) this.fail()
    else if (this.exchange) this.refuse('too-slow')
    else this.end()
  }
}

/** Whether a head may begin so. A client that speaks something else, such as TLS, hears so at once. */
function mayBecomeHead(bytes: Buffer, start: number): boolean {
  const lineEnd = bytes.indexOf(LINE_FEED, start)
  if (lineEnd >= 0 && bytes[lineEnd - 1] !== CARRIAGE_RETURN) return false
  return beginsHead(bytes[start]!)
}
