/** Names of archives: by the clock of the operator, so that they sort by age. */
import { localTime } from '../../local-time.ts'

const ARCHIVE_NAME = /^fundus-(\d{4}-\d\d-\d\d)-(\d\d)(\d\d)(\d\d)(?:-(\d+))?(-unvollstaendig)?\.tar$/

/** `again` tells archives of one second apart. */
export function archiveName(at: number, options: { complete: boolean; again?: number }): string {
  const time = localTime(at).replace(' ', '-').replaceAll(':', '')
  const number = options.again ? `-${options.again}` : ''
  return `fundus-${time}${number}${options.complete ? '' : '-unvollstaendig'}.tar`
}

export interface ArchiveName {
  name: string
  /** Unix milliseconds, to the second. */
  at: number
  /** Tells archives of one second apart, in their order. */
  again: number
  /** False when files were missing or damaged as it was made. */
  complete: boolean
}

/** Null for what is no archive of ours. */
export function parseArchiveName(name: string): ArchiveName | null {
  const match = ARCHIVE_NAME.exec(name)
  if (!match) return null
  const [, day, hours, minutes, seconds, again = '0', incomplete] = match
  const at = new Date(`${day}T${hours}:${minutes}:${seconds}`).getTime()
  return Number.isNaN(at) ? null : { name, at, again: Number(again), complete: incomplete === undefined }
}

export const newestFirst = (a: ArchiveName, b: ArchiveName) => b.at - a.at || b.again - a.again
