/**
 * Waits for the end of a body that was answered early (wrong key, file too large, unknown address). If we
 * closed at once, a client that is still sending would see a reset and not the answer; nginx turns such a
 * reset into a 502.
 */

export interface RestLimits {
  /**
   * Milliseconds for which an answer waits for the end of the body. If the end arrives in time, the
   * connection stays open.
   */
  grace: number
  /**
   * Milliseconds without a byte after which we stop waiting. This is long enough for a lost packet to be
   * resent, and short because nginx stops sending when it sees an answer and waits for the end of that
   * answer.
   */
  pause: number
  /** Milliseconds after which we stop waiting in any case, as with nginx's `lingering_time`. */
  whole: number
  /**
   * Maximum number of bytes to discard. This is what the documented proxies let through
   * (`client_max_body_size 300m`), so that no client behind a proxy is disconnected.
   */
  bytes: number
}

export const REST_LIMITS: RestLimits = { grace: 100, pause: 500, whole: 30_000, bytes: 300 * 1024 * 1024 }

export interface RestEvents {
  graceOver(): void
  /** The body has ended, or we stopped waiting for it. */
  over(): void
}

/** Waits for the end of a body whose request was already answered. */
export class Rest {
  private left: number
  private silent = 0
  private readonly timers: Timer[]

  constructor(
    limits: RestLimits,
    private readonly events: RestEvents,
  ) {
    this.left = limits.bytes
    // Waiting ends after two ticks without a byte instead of one, because after a stall the timers run before
    // the bytes that are ready are read.
    const onTick = () => ++this.silent > 1 && this.end()
    this.timers = [
      setTimeout(events.graceOver, limits.grace),
      setInterval(onTick, limits.pause / 2),
      setTimeout(() => this.end(), limits.whole),
    ]
  }

  onDiscarded(bytes: number): void {
    this.silent = 0
    this.left -= bytes
    if (this.left < 0) this.end()
  }

  end(): void {
    this.forget()
    this.events.over()
  }

  /** Stops without calling `over`. */
  forget(): void {
    for (const timer of this.timers) clearTimeout(timer)
  }
}
