/**
 * Archive names contain the local time. When daylight saving ends, one hour occurs twice: its second pass is
 * marked with a `b`, so that every name is unambiguous and archives sort by age.
 */

import { fileNameTime } from '../../../base/local-time.ts'
import { HOUR, MINUTE } from '../../../contract/values/units.ts'

const ARCHIVE_NAME = /^fundus-(\d{4}-\d\d-\d\d)-(\d\d)(\d\d)(\d\d)(b?)(?:-(\d+))?(-unvollstaendig)?\.tar$/

/** `again` distinguishes archives of the same second. */
export function archiveName(at: number, options: { complete: boolean; again?: number }): string {
  const number = options.again ? `-${options.again}` : ''
  const second = Math.floor(at / 1000) * 1000
  const pass = secondPassOf(firstPassOf(second)) === second ? 'b' : ''
  return `fundus-${fileNameTime(at)}${pass}${number}${options.complete ? '' : '-unvollstaendig'}.tar`
}

export interface ArchiveName {
  name: string
  /** Unix milliseconds, exact to the second. */
  at: number
  /** Number among the archives of the same second, in the order in which they were made. */
  again: number
  /** False if files were missing or damaged while the archive was made. */
  complete: boolean
}

/** Parses the name of an archive; null if this is not one. */
export function parseArchiveName(name: string): ArchiveName | null {
  const match = ARCHIVE_NAME.exec(name)
  if (!match) return null
  const [, day, hours, minutes, seconds, pass, again = '0', incomplete] = match
  const first = new Date(`${day}T${hours}:${minutes}:${seconds}`).getTime()
  const at = pass === 'b' ? secondPassOf(first) : first
  return at === null || Number.isNaN(at)
    ? null
    : { name, at, again: Number(again), complete: incomplete === undefined }
}

/**
 * The first moment at which local clocks show the time that they show at `at`: JavaScript reads a time that
 * occurs twice as its first pass.
 */
const firstPassOf = (at: number) => {
  const date = new Date(at)
  const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()]
  return new Date(year, month, day, date.getHours(), date.getMinutes(), date.getSeconds()).getTime()
}

/**
 * The second moment at which local clocks show the time that they show at `first`; null if there is only one.
 */
function secondPassOf(first: number): number | null {
  // No zone sets its clocks back by more than three hours.
  const later = new Date(first + 3 * HOUR)
  const back = (later.getTimezoneOffset() - new Date(first).getTimezoneOffset()) * MINUTE
  return back > 0 && firstPassOf(first + back) === first ? first + back : null
}

export const newestFirst = (a: ArchiveName, b: ArchiveName) => b.at - a.at || b.again - a.again
