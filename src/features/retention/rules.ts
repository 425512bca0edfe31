/** Which retention rule applies to a folder. */
import { isBelow } from '../../contract/paths/paths.ts'
import type { PeriodStart } from '../../contract/values/limits.ts'
import { DAY } from '../../contract/values/units.ts'

export interface Rule {
  /** Empty: the rule applies to all files. */
  folder: string
  /** Null: the files of this folder are never moved. */
  days: number | null
  /** May be null only if `days` is. */
  start: PeriodStart | null
}

/** A rule that moves files to the trash, unlike one that exempts a folder. */
export interface Period extends Rule {
  days: number
  start: PeriodStart
}

export const isPeriod = (rule: Rule): rule is Period => rule.days !== null && rule.start !== null

/** The rule with the longest folder at or above `folder`. */
export function ruleFor<R extends Rule>(rules: readonly R[], folder: string): R | null {
  let found: R | null = null
  for (const rule of rules) {
    const covers = rule.folder === '' || rule.folder === folder || isBelow(folder, rule.folder)
    if (covers && (found === null || rule.folder.length > found.folder.length)) found = rule
  }
  return found
}

/** The time at or before which the period of a file must have started for the file to be due. */
export const dueBefore = ({ days }: Period, now: number) => now - days * DAY

/** The time at which a file becomes due whose period started at `since`. */
export const dueAt = ({ days }: Period, since: number) => since + days * DAY
