/**
 * Waits for the end of a body that nobody reads any more: the answer was given before all of it had come. It tells a wrong
 * key, a file too large, an unknown address. If the connection were closed at once, a sender that is still sending would
 * see a reset and never the answer; nginx turns such a reset into a 502.
 */

export interface RestLimits {
  /**
   * Milliseconds for which an answer waits for a body that has arrived or almost arrived. If the body ends in this
   * time, its connection stays in use.
   */
  grace: number
  /**
   * Milliseconds without a byte after which no more bytes are expected. Long enough for a lost packet to be sent again;
   * short, because nginx stops sending when it sees an answer and waits for the end of that answer.
   */
  pause: number
  /** Milliseconds for the rest in all: as long as nginx lingers by default (`lingering_time`). */
  whole: number
  /**
   * The most bytes of the rest that are taken. The documented proxies let through as many (`client_max_body_size 300m`),
   * so no sender behind such a proxy is cut off.
   */
  bytes: number
}

export const REST_LIMITS: RestLimits = { grace: 100, pause: 500, whole: 30_000, bytes: 300 * 1024 * 1024 }

export interface RestEvents {
  /** The answer has waited long enough. */
  graceOver(): void
  /** The body has ended, or it is not waited for any longer. */
  over(): void
}

export class Rest {
  private left: number
  private silent = 0
  private readonly timers: Timer[]

  constructor(
    limits: RestLimits,
    private readonly events: RestEvents,
  ) {
    this.left = limits.bytes
    // Waiting ends at the second silent tick, not at the first: after a stall of this process its timers run before the
    // bytes that lie ready are read.
    const onTick = () => ++this.silent > 1 && this.end()
    this.timers = [
      setTimeout(events.graceOver, limits.grace),
      setInterval(onTick, limits.pause / 2),
      setTimeout(() => this.end(), limits.whole),
    ]
  }

  /** Bytes have come and were thrown away. */
  came(bytes: number): void {
    this.silent = 0
    this.left -= bytes
    if (this.left < 0) this.end()
  }

  end(): void {
    this.forget()
    this.events.over()
  }

  /** Ends without telling. */
  forget(): void {
    for (const timer of this.timers) clearTimeout(timer)
  }
}
