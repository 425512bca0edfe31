/**
 * Stored deadlines of locks, leases, claims and pauses. A deadline that is further ahead than its maximum
 * (which includes a margin for differing clocks) was written by a clock that was ahead, and counts as passed.
 */
import { type SqlBool, sql } from 'kysely'

export const hasPassed = (deadline: number, at: number, longest: number) =>
  deadline <= at || deadline > at + longest

/** `hasPassed` as an SQL condition on a column. */
export const passedIn = (column: string, at: number, longest: number) =>
  sql<SqlBool>`(${sql.ref(column)} <= ${at} or ${sql.ref(column)} > ${at + longest})`
