import { describe, expect, test } from 'bun:test'
import { GIGABYTE, HOUR } from '../../contract/values/units.ts'
import { failure } from '../../errors/errors.ts'
import { createVisitorLimiter, MAX_REMEMBERED_NETWORKS } from './visitors.ts'

const concurrent = { visitor: 6, link: 24, all: 48 }
const hourly = { files: 2000, bytes: 8 * GIGABYTE }

function guard() {
  const clock = { now: 0 }
  const visitors = createVisitorLimiter({
    now: () => clock.now,
    limits: { concurrent, hourly },
    createRefusal: failure.dropsCrowded,
  })
  const outcome = (client: string, key = 'link') => {
    try {
      return visitors.beginTransfer(client, key)
    } catch (error) {
      return (error as { code: string }).code
    }
  }
  return { clock, outcome }
}
type Place = ReturnType<ReturnType<typeof createVisitorLimiter>['beginTransfer']>

describe('at once', () => {
  test('a visitor has a few places, others theirs, and each is free again afterwards', () => {
    const { outcome } = guard()
    const places = Array.from({ length: concurrent.visitor }, () => outcome('a') as Place)
    expect(outcome('a')).toBe('drops-crowded')
    expect(outcome('a', 'another link')).toBe('drops-crowded')
    expect(outcome('b')).toBeObject()
    places[0]![Symbol.dispose]()
    expect(outcome('a')).toBeObject()
    expect(outcome('a')).toBe('drops-crowded')
  })

  test('many visitors of one link leave places for other links', () => {
    const { outcome } = guard()
    for (let n = 0; n < concurrent.link; n++) expect(outcome(`visitor ${n}`)).toBeObject()
    expect(outcome('late')).toBe('drops-crowded')
    expect(outcome('late', 'another link')).toBeObject()
  })

  test('all of them together leave connections for the rest of the service', () => {
    const { outcome } = guard()
    for (let n = 0; n < concurrent.all; n++) expect(outcome(`visitor ${n}`, `link ${n}`)).toBeObject()
    expect(outcome('late', 'late')).toBe('drops-crowded')
  })
})

describe('within an hour', () => {
  test.each([
    ['files', { times: hourly.files, bytes: 1 }],
    ['bytes', { times: 2, bytes: hourly.bytes / 2 }],
  ])('a visitor hands in so many %s, and others are not concerned', (_, { times, bytes }) => {
    const { clock, outcome } = guard()
    for (let n = 0; n < times; n++) {
      using place = outcome('a') as Place
      place.recordTransfer(bytes)
    }
    expect(outcome('a')).toBe('drops-crowded')
    expect(outcome('b')).toBeObject()
    clock.now += HOUR
    expect(outcome('a')).toBeObject()
  })

  test('files that are still on their way count', () => {
    const { outcome } = guard()
    for (let n = 0; n < hourly.files - 2; n++) {
      using place = outcome('a') as Place
      place.recordTransfer(1)
    }
    const first = outcome('a') as Place
    expect(outcome('a')).toBeObject()
    expect(outcome('a')).toBe('drops-crowded')
    // One that came to nothing leaves its number to another.
    first[Symbol.dispose]()
    expect(outcome('a')).toBeObject()
  })

  test('so many networks are remembered, the oldest are forgotten first', () => {
    const { outcome } = guard()
    const enter = (client: string) => {
      using place = outcome(client) as Place
      place.recordTransfer(hourly.bytes)
    }
    enter('first')
    for (let n = 1; n < MAX_REMEMBERED_NETWORKS; n++) enter(`network ${n}`)
    expect(outcome('first')).toBe('drops-crowded')
    enter('one too many')
    expect([outcome('network 1'), outcome('one too many')]).toEqual(['drops-crowded', 'drops-crowded'])
    expect(outcome('first')).toBeObject()
  })

  test('a clock that goes back blocks nobody for longer than an hour', () => {
    const { clock, outcome } = guard()
    clock.now = 10 * HOUR
    const place = outcome('a') as Place
    place.recordTransfer(hourly.bytes)
    place[Symbol.dispose]()
    clock.now = 0
    expect(outcome('a')).toBeObject()
  })
})
