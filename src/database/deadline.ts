/**
 * Stored deadlines, such as the end of a lease or of a sign-in lockout. A deadline that is further in the
 * future than the longest possible duration (which includes a margin for differing clocks) must have been
 * written while a clock was wrong, and counts as passed.
 */
import { type SqlBool, sql } from 'kysely'
import { MINUTE } from '../contract/values/units.ts'

/** How far the clock of another instance may be ahead, for deadlines that it has set. */
export const CLOCK_MARGIN = MINUTE

export const hasDeadlinePassed = (deadline: number, now: number, maxDuration: number) =>
  deadline <= now || deadline > now + maxDuration

/** `hasDeadlinePassed` as an SQL condition on a column. */
export const deadlinePassedCondition = (column: string, now: number, maxDuration: number) =>
  sql<SqlBool>`(${sql.ref(column)} <= ${now} or ${sql.ref(column)} > ${now + maxDuration})`
