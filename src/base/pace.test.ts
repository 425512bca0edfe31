import { expect, test } from 'bun:test'
import { pace } from './pace.ts'

/** Longer than the slice. */
const STEP = 5

test('every step that uses up the slice is followed by a turn of the event loop', async () => {
  await pace()
  for (let step = 0; step < 4; step++) {
    const end = performance.now() + STEP
    while (performance.now() < end);
    let hasTurned = false
    setImmediate(() => {
      hasTurned = true
    })
    await pace()
    expect([step, hasTurned]).toEqual([step, true])
  }
})
