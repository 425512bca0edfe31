/**
 * Waits for the end of the body of a request that was answered before its body had ended (wrong key, file too
 * large, unknown address). If we closed the connection at once, a client that is still sending would see a
 * reset and not the answer; nginx turns such a reset into a 502.
 */

export interface RemainderLimits {
  /**
   * Maximum number of milliseconds for which an answer is held back until the body has ended. If the body
   * ends in time, the connection stays open.
   */
  grace: number
  /**
   * Maximum pause in milliseconds between received bytes; after half of it at the earliest, we stop waiting.
   * It is long enough for a lost packet to be resent. It is short because nginx stops sending when it sees an
   * answer, and then waits for the end of that answer.
   */
  maxPause: number
  /** Milliseconds after which we stop waiting in any case, as with nginx's `lingering_time`. */
  maxDuration: number
  /**
   * Maximum number of bytes to discard. If a client sends more, it may be disconnected before it has read its
   * answer.
   */
  bytes: number
}

export const REMAINDER_LIMITS: RemainderLimits = {
  grace: 100,
  maxPause: 500,
  maxDuration: 30_000,
  bytes: 300 * 1024 * 1024,
}

export interface RemainderEvents {
  onGraceOver(): void
  /** Called when the body has ended, or we stopped waiting for it. */
  onOver(): void
}

/** The part of a request body that arrives after the answer was made. It is discarded. */
export class BodyRemainder {
  private remainingBytes: number
  private silentTicks = 0
  private readonly timers: Timer[]

  constructor(
    limits: RemainderLimits,
    private readonly events: RemainderEvents,
  ) {
    this.remainingBytes = limits.bytes
    // Waiting ends after two ticks without a byte, not after one: when this process has stalled, the timer
    // fires once before the bytes that arrived meanwhile are read.
    const onTick = () => ++this.silentTicks > 1 && this.end()
    this.timers = [
      setTimeout(events.onGraceOver, limits.grace),
      setInterval(onTick, limits.maxPause / 2),
      setTimeout(() => this.end(), limits.maxDuration),
    ]
  }

  onDiscarded(byteCount: number): void {
    this.silentTicks = 0
    this.remainingBytes -= byteCount
    if (this.remainingBytes < 0) this.end()
  }

  end(): void {
    this.forget()
    this.events.onOver()
  }

  /** Stops waiting without calling `onOver`. */
  forget(): void {
    for (const timer of this.timers) clearTimeout(timer)
  }
}
