import { afterAll, beforeAll } from 'bun:test'

/** Runs the tests of a file or of a `describe` in this zone: in UTC there is no daylight saving time. */
export function useTimeZone(zone: string): void {
  const before = process.env.TZ
  beforeAll(() => {
    process.env.TZ = zone
  })
  afterAll(() => {
    if (before === undefined) delete process.env.TZ
    else process.env.TZ = before
  })
}
