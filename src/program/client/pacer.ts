/**
 * Limits the number of requests per second by spreading them evenly. `createPacer` returns a function whose
 * promise resolves when the next request may start.
 */

export interface PacerParts {
  requestsPerSecond: number
  now(): number
  sleep(milliseconds: number): Promise<unknown>
}

export type Pacer = () => Promise<void>

export function createPacer({ requestsPerSecond, now, sleep }: PacerParts): Pacer {
  const interval = 1000 / requestsPerSecond
  let nextFreeTime = 0
  return async () => {
    const startTime = Math.max(nextFreeTime, now())
    nextFreeTime = startTime + interval
    if (startTime > now()) await sleep(startTime - now())
  }
}
