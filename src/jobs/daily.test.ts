import { describe, expect, test } from 'bun:test'
import { useTimeZone } from '../../test/support/time-zone.ts'
import { isDue, lastOccurrence, nextOccurrence } from './daily.ts'

const HOUR = 60 * 60_000
useTimeZone('Europe/Berlin')

/** Written with the offset, so that an hour that occurs twice is unambiguous. */
const time = (text: string) => new Date(text).getTime()

describe('the last time of day', () => {
  test.each([
    ['later the same day', '2026-06-10T12:00+02:00', '03:30', '2026-06-10T03:30+02:00'],
    ['that very minute', '2026-06-10T03:30+02:00', '03:30', '2026-06-10T03:30+02:00'],
    ['a moment before it', '2026-06-10T03:29:59+02:00', '03:30', '2026-06-09T03:30+02:00'],
    ['over the turn of the year', '2027-01-01T00:10+01:00', '23:45', '2026-12-31T23:45+01:00'],
    ['after a day of 23 hours', '2026-03-29T12:00+02:00', '01:30', '2026-03-29T01:30+01:00'],
    ['left out by the clocks: an hour later', '2026-03-29T12:00+02:00', '02:30', '2026-03-29T03:30+02:00'],
    ['left out, not yet come', '2026-03-29T01:59+01:00', '02:30', '2026-03-28T02:30+01:00'],
    ['left out, between the two', '2026-03-29T03:10+02:00', '02:30', '2026-03-28T02:30+01:00'],
    ['shown twice: the first', '2026-10-25T12:00+01:00', '02:30', '2026-10-25T02:30+02:00'],
    ['shown twice, asked before the second', '2026-10-25T02:10+01:00', '02:30', '2026-10-25T02:30+02:00'],
    ['shown twice, asked before the first', '2026-10-25T02:10+02:00', '02:30', '2026-10-24T02:30+02:00'],
  ])('%s', (_, now, at, expected) => {
    expect(lastOccurrence(at, time(now))).toBe(time(expected))
  })

  test('lies at most 25 hours back, whatever the day and the hour', () => {
    for (let now = time('2026-01-01T00:00Z'); now < time('2027-01-01T00:00Z'); now += 37 * 60_000) {
      for (const at of ['00:00', '02:30', '23:59']) {
        const back = now - lastOccurrence(at, now)
        expect(back >= 0 && back <= 25 * HOUR).toBe(true)
      }
    }
  })
})

describe('the next time of day', () => {
  test.each([
    ['later the same day', '2026-06-10T04:00+02:00', '2026-06-10T05:00+02:00'],
    ['that very minute: the next day', '2026-06-10T05:00+02:00', '2026-06-11T05:00+02:00'],
    ['just before a day of 23 hours', '2026-03-28T04:59+01:00', '2026-03-28T05:00+01:00'],
    ['over a day of 23 hours', '2026-03-28T05:00+01:00', '2026-03-29T05:00+02:00'],
    ['over a day of 25 hours', '2026-10-24T05:00+02:00', '2026-10-25T05:00+01:00'],
  ])('%s', (_, from, expected) => {
    expect(nextOccurrence('05:00', time(from))).toBe(time(expected))
  })

  test('is the one of which nothing lies between, whatever the day and the hour', () => {
    for (let from = time('2026-01-01T00:00Z'); from < time('2027-01-01T00:00Z'); from += 37 * 60_000) {
      const next = nextOccurrence('02:30', from)
      expect(
        next > from && lastOccurrence('02:30', next) === next && lastOccurrence('02:30', next - 1) <= from,
      ).toBe(true)
    }
  })
})

describe('due', () => {
  const on = (day: string, hour: string) => time(`2026-06-${day}T${hour}+02:00`)
  test.each([
    ['when its time has come', '10', '03:30', on('09', '03:30'), on('01', '12:00'), true],
    ['not before', '10', '03:29', on('09', '03:30'), on('01', '12:00'), false],
    ['not again after it ran', '10', '03:31', on('10', '03:30'), on('01', '12:00'), false],
    ['not again at a restart later that day', '10', '12:00', on('10', '03:31'), on('10', '11:59'), false],
    ['after a sleep over its time', '10', '09:00', on('09', '03:30'), on('01', '12:00'), true],
    [
      'at the start when the last run is older than a day',
      '10',
      '09:00',
      on('09', '03:30'),
      on('10', '09:00'),
      true,
    ],
    [
      'not at the start when the last run was yesterday noon',
      '10',
      '09:00',
      on('09', '12:00'),
      on('10', '09:00'),
      false,
    ],
    ['not at once where it never ran', '10', '09:00', null, on('10', '09:00'), false],
    ['after an hour where it never ran', '10', '10:00', null, on('10', '09:00'), true],
    ['at its time where it never ran', '10', '03:30', null, on('10', '03:29'), true],
  ])('%s', (_, day, hour, lastRun, watchedSince, expected) => {
    expect(isDue({ timeOfDay: '03:30', now: on(day, hour), lastRun, watchedSince })).toBe(expected)
  })

  test('once on every day of a year, looked at every minute or so, whatever the clocks do', () => {
    for (const timeOfDay of ['00:00', '02:00', '02:30', '03:00', '23:59']) {
      const days: string[] = []
      const watchedSince = time('2026-01-01T12:00Z')
      let lastRun = watchedSince
      for (let now = watchedSince; now < time('2026-12-31T12:00Z'); now += 59_000) {
        if (!isDue({ timeOfDay, now, lastRun, watchedSince })) continue
        lastRun = now
        const date = new Date(now)
        days.push(`${date.getMonth()}-${date.getDate()}`)
      }
      expect(days).toHaveLength(364)
      expect(new Set(days).size).toBe(364)
    }
  })
})
