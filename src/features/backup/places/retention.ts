/** Which archives a target keeps, and why. */
import type { KeepReason } from '../../../contract/service/backup.ts'
import type { ArchiveName } from '../archive/archive-name.ts'

export interface Retention {
  /** Number of newest archives to keep. */
  count: number
  /**
   * Number of weeks for which one archive per week is kept in addition. Weeks without archives do not count.
   */
  weeks: number
  /**
   * Number of months for which one archive per month is kept in addition. Months without archives do not
   * count.
   */
  months: number
}

/**
 * Keeps all archives. Used while the database lacks committed changes, which perhaps only earlier archives
 * contain.
 */
export const KEEP_ALL: Retention = { count: Number.POSITIVE_INFINITY, weeks: 0, months: 0 }

type DatedArchive = Pick<ArchiveName, 'createdAt' | 'isComplete'>

/**
 * Returns the reasons for which each archive is kept; an archive without a reason may be removed. `archives`:
 * newest first. Three kinds of archives are kept: the newest `count` archives, the newest complete archive,
 * and one archive for each of the newest `weeks` weeks and `months` months that have archives. For a week or
 * month this is the newest complete archive, or the newest one if none is complete.
 */
export function keepReasons<A extends DatedArchive>(
  archives: readonly A[],
  { count, weeks, months }: Retention,
): Map<A, KeepReason[]> {
  const reasons = new Map<A, KeepReason[]>(archives.map(archive => [archive, []]))
  const addReason = (reason: KeepReason, keptArchives: readonly A[]) => {
    for (const archive of keptArchives) reasons.get(archive)!.push(reason)
  }
  addReason('anzahl', archives.slice(0, count))
  addReason('woche', newestPerPeriod(archives, weekOf).slice(0, weeks))
  addReason('monat', newestPerPeriod(archives, monthOf).slice(0, months))
  addReason('vollstaendig', archives.filter(({ isComplete }) => isComplete).slice(0, 1))
  return reasons
}

export function archivesToRemove<A extends DatedArchive>(archives: readonly A[], retention: Retention): A[] {
  const reasons = keepReasons(archives, retention)
  return archives.filter(archive => reasons.get(archive)!.length === 0)
}

function newestPerPeriod<A extends DatedArchive>(
  archives: readonly A[],
  periodOf: (time: number) => string,
): A[] {
  const newestByPeriod = new Map<string, A>()
  for (const archive of archives) {
    const period = periodOf(archive.createdAt)
    const newest = newestByPeriod.get(period)
    if (!newest || (!newest.isComplete && archive.isComplete)) newestByPeriod.set(period, archive)
  }
  return [...newestByPeriod.values()]
}

const monthOf = (time: number) => {
  const date = new Date(time)
  return `${date.getFullYear()}-${date.getMonth()}`
}

/** The Monday on which the week begins (ISO 8601), in local time. */
const weekOf = (time: number) => {
  const date = new Date(time)
  date.setDate(date.getDate() - ((date.getDay() + 6) % 7))
  return date.toDateString()
}
