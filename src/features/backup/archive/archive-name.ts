/**
 * Names of archives. They contain the local time. When daylight saving ends, one hour occurs twice: names
 * from its second pass get a `b`, so that every name is unambiguous and archives can be sorted by age.
 */

import { fileNameTime } from '../../../base/local-time.ts'
import { HOUR, MINUTE } from '../../../contract/values/units.ts'

const ARCHIVE_NAME = /^fundus-(\d{4}-\d\d-\d\d)-(\d\d)(\d\d)(\d\d)(b?)(?:-(\d+))?(-unvollstaendig)?\.tar$/

/** `sequence` distinguishes archives of the same second. */
export function archiveName(createdAt: number, options: { isComplete: boolean; sequence?: number }): string {
  const sequenceSuffix = options.sequence ? `-${options.sequence}` : ''
  const wholeSecond = Math.floor(createdAt / 1000) * 1000
  const passSuffix = secondPassOf(firstPassOf(wholeSecond)) === wholeSecond ? 'b' : ''
  return `fundus-${fileNameTime(createdAt)}${passSuffix}${sequenceSuffix}${options.isComplete ? '' : '-unvollstaendig'}.tar`
}

export interface ArchiveName {
  name: string
  /** When the archive was made: Unix milliseconds, exact to the second. */
  createdAt: number
  /** Number among the archives of the same second, in the order in which they were made. */
  sequence: number
  /** False if files were missing or damaged, or had invalid rows, when the archive was made. */
  isComplete: boolean
}

/** Parses the name of an archive; null if `name` is not one. */
export function parseArchiveName(name: string): ArchiveName | null {
  const match = ARCHIVE_NAME.exec(name)
  if (!match) return null
  const [, day, hours, minutes, seconds, passLetter, sequence = '0', incompleteSuffix] = match
  const firstPass = new Date(`${day}T${hours}:${minutes}:${seconds}`).getTime()
  const createdAt = passLetter === 'b' ? secondPassOf(firstPass) : firstPass
  return createdAt === null || Number.isNaN(createdAt)
    ? null
    : { name, createdAt, sequence: Number(sequence), isComplete: incompleteSuffix === undefined }
}

/**
 * The first moment with the same local time as `time`. When a local time occurs twice, JavaScript reads it as
 * the first of the two moments.
 */
const firstPassOf = (time: number) => {
  const date = new Date(time)
  const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()]
  return new Date(year, month, day, date.getHours(), date.getMinutes(), date.getSeconds()).getTime()
}

/** The second moment with the same local time as `firstPass`; null if that local time occurs only once. */
function secondPassOf(firstPass: number): number | null {
  // No zone sets its clocks back by more than three hours.
  const afterChange = new Date(firstPass + 3 * HOUR)
  const clockShift = (afterChange.getTimezoneOffset() - new Date(firstPass).getTimezoneOffset()) * MINUTE
  return clockShift > 0 && firstPassOf(firstPass + clockShift) === firstPass ? firstPass + clockShift : null
}

export const newestFirst = (a: ArchiveName, b: ArchiveName) =>
  b.createdAt - a.createdAt || b.sequence - a.sequence
