import { describe, expect, test } from 'bun:test'
import { addSample, paceOf, type Sample } from './pace.ts'

const seen = (...samples: [at: number, done: number][]) =>
  samples.reduce<readonly Sample[]>((all, [at, done]) => addSample(all, { at, done }), [])

describe('pace', () => {
  test('two looks some seconds apart give speed and time left', () => {
    expect(paceOf(seen([0, 0], [4000, 40]), 100)).toEqual({ perSecond: 10, remaining: 6000 })
  })

  test.each([
    ['nothing seen', seen()],
    ['one look', seen([0, 5])],
    ['two looks too close together', seen([0, 5], [1999, 50])],
    ['two looks without a step between them', seen([0, 5], [9000, 5])],
  ])('%s: nothing is claimed', (_, samples) => {
    expect(paceOf(samples, 100)).toEqual({ perSecond: null, remaining: null })
  })

  test('without a total there is a speed and no time left; at the end neither is any', () => {
    expect(paceOf(seen([0, 0], [2000, 10]), null)).toEqual({ perSecond: 5, remaining: null })
    expect(paceOf(seen([0, 0], [2000, 10]), 10).remaining).toBeNull()
    expect(paceOf(seen([0, 0], [2000, 10]), 8).remaining).toBeNull()
  })

  test('only the last half minute counts', () => {
    const slowThenFast = seen([0, 0], [40_000, 10], [50_000, 1010])
    expect(paceOf(slowThenFast, null).perSecond).toBe(100)
  })

  test('figures that fall begin anew', () => {
    expect(seen([0, 0], [2000, 90], [3000, 4])).toEqual([{ at: 3000, done: 4 }])
  })
})
