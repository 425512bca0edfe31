/** Limits the number of calls per second by spreading the calls evenly. */

export interface PacerParts {
  perSecond: number
  now(): number
  sleep(milliseconds: number): Promise<unknown>
}

export type Pacer = () => Promise<void>

export function createPacer({ perSecond, now, sleep }: PacerParts): Pacer {
  const gap = 1000 / perSecond
  let free = 0
  return async () => {
    const turn = Math.max(free, now())
    free = turn + gap
    if (turn > now()) await sleep(turn - now())
  }
}
