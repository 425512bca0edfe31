/** Names of archives. A name holds the time by the operator's clock, so that archives sort by age. */
import { nameTime } from '../../local-time.ts'

const ARCHIVE_NAME = /^fundus-(\d{4}-\d\d-\d\d)-(\d\d)(\d\d)(\d\d)(?:-(\d+))?(-unvollstaendig)?\.tar$/

/** `again` distinguishes archives of the same second. */
export function archiveName(at: number, options: { complete: boolean; again?: number }): string {
  const number = options.again ? `-${options.again}` : ''
  return `fundus-${nameTime(at)}${number}${options.complete ? '' : '-unvollstaendig'}.tar`
}

export interface ArchiveName {
  name: string
  /** Unix milliseconds, exact to the second. */
  at: number
  /** Distinguishes archives of the same second, in the order in which they were made. */
  again: number
  /** False when files were missing or damaged while the archive was made. */
  complete: boolean
}

/** Returns null for a name that is not the name of a Fundus archive. */
export function parseArchiveName(name: string): ArchiveName | null {
  const match = ARCHIVE_NAME.exec(name)
  if (!match) return null
  const [, day, hours, minutes, seconds, again = '0', incomplete] = match
  const at = new Date(`${day}T${hours}:${minutes}:${seconds}`).getTime()
  return Number.isNaN(at) ? null : { name, at, again: Number(again), complete: incomplete === undefined }
}

export const newestFirst = (a: ArchiveName, b: ArchiveName) => b.at - a.at || b.again - a.again
