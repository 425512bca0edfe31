/** Limits the number of calls per second by spreading the calls evenly. */

export interface PacerParts {
  perSecond: number
  now(): number
  sleep(milliseconds: number): Promise<unknown>
}

export type Pacer = () => Promise<void>

export function createPacer({ perSecond, now, sleep }: PacerParts): Pacer {
  const interval = 1000 / perSecond
  let nextFreeTime = 0
  return async () => {
    const startTime = Math.max(nextFreeTime, now())
    nextFreeTime = startTime + interval
    if (startTime > now()) await sleep(startTime - now())
  }
}
