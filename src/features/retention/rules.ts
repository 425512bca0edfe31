/** The retention rules, and which of them applies to a folder. */

import type { PeriodStart } from '../../contract/files/choices.ts'
import { isBelow } from '../../contract/paths/path-parts.ts'
import { DAY } from '../../contract/values/units.ts'

export interface Rule {
  /**
   * The folder to which the rule applies, with all folders below it, except a subfolder with a rule of its
   * own and everything below that subfolder; empty for the top folder.
   */
  folder: string
  /** Length of the retention period. Null: no retention run moves the files of this folder to the trash. */
  days: number | null
  /** When the retention period of a file starts; may be null only if `days` is null. */
  start: PeriodStart | null
}

/** A rule that moves files to the trash, unlike one that exempts a folder from moving. */
export interface MovingRule extends Rule {
  days: number
  start: PeriodStart
}

export const isMovingRule = (rule: Rule): rule is MovingRule => rule.days !== null && rule.start !== null

/**
 * The rule that applies to files in `folder`: the one with the longest path among the rules for this folder
 * and its parents. Null if there is none.
 */
export function ruleForFolder<R extends Rule>(rules: readonly R[], folder: string): R | null {
  let longestRule: R | null = null
  for (const rule of rules) {
    const isCovering = rule.folder === '' || rule.folder === folder || isBelow(folder, rule.folder)
    if (isCovering && (longestRule === null || rule.folder.length > longestRule.folder.length))
      longestRule = rule
  }
  return longestRule
}

/**
 * Returns the latest start of a period that has ended: a file is due if its period started then or earlier.
 */
export const latestDueStart = ({ days }: MovingRule, now: number) => now - days * DAY

/** The time at which a file is due if its period started at `periodStart`. */
export const dueTimeOf = ({ days }: MovingRule, periodStart: number) => periodStart + days * DAY
