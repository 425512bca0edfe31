/**
 * Stored deadlines of locks, leases, claims and pauses. A deadline that is further ahead than the longest
 * possible duration (which includes a margin for differing clocks) was written when a clock was wrong, and
 * counts as passed.
 */
import { type SqlBool, sql } from 'kysely'

export const hasPassed = (deadline: number, at: number, maxDuration: number) =>
  deadline <= at || deadline > at + maxDuration

/** `hasPassed` as an SQL condition on a column. */
export const hasPassedCondition = (column: string, at: number, maxDuration: number) =>
  sql<SqlBool>`(${sql.ref(column)} <= ${at} or ${sql.ref(column)} > ${at + maxDuration})`
