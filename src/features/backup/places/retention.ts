/** Which archives a target keeps, and why. */
import type { KeepReason } from '../../../contract/service/backup.ts'
import type { ArchiveName } from '../archive/archive-name.ts'

export interface Retention {
  /** Number of newest archives that stay. */
  count: number
  /** Number of weeks, and of months, whose newest archive stays as well. */
  weeks: number
  months: number
}

type Kept = Pick<ArchiveName, 'at' | 'complete'>

/**
 * The reasons for which each archive stays; an archive without one goes. `archives`: newest first. The newest
 * complete archive always stays. A week or month is represented by its newest complete archive if it has one.
 */
export function keepReasons<A extends Kept>(
  archives: readonly A[],
  { count, weeks, months }: Retention,
): Map<A, KeepReason[]> {
  const reasons = new Map<A, KeepReason[]>(archives.map(archive => [archive, []]))
  const keep = (reason: KeepReason, kept: readonly A[]) => {
    for (const archive of kept) reasons.get(archive)!.push(reason)
  }
  keep('anzahl', archives.slice(0, count))
  keep('woche', newestOfEach(archives, weekOf).slice(0, weeks))
  keep('monat', newestOfEach(archives, monthOf).slice(0, months))
  keep('vollstaendig', archives.filter(({ complete }) => complete).slice(0, 1))
  return reasons
}

export function surplus<A extends Kept>(archives: readonly A[], retention: Retention): A[] {
  const reasons = keepReasons(archives, retention)
  return archives.filter(archive => reasons.get(archive)!.length === 0)
}

function newestOfEach<A extends Kept>(archives: readonly A[], periodOf: (at: number) => string): A[] {
  const newest = new Map<string, A>()
  for (const archive of archives) {
    const period = periodOf(archive.at)
    const found = newest.get(period)
    if (!found || (!found.complete && archive.complete)) newest.set(period, archive)
  }
  return [...newest.values()]
}

const monthOf = (at: number) => {
  const date = new Date(at)
  return `${date.getFullYear()}-${date.getMonth()}`
}

/** The Monday with which the week begins, in local time (ISO 8601). */
const weekOf = (at: number) => {
  const date = new Date(at)
  date.setDate(date.getDate() - ((date.getDay() + 6) % 7))
  return date.toDateString()
}
