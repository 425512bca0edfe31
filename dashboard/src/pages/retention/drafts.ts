/** Retention rules while they are edited, and the problems in them. */

import type { PeriodStart } from '../../../../src/contract/files/choices.ts'
import { isValidPath } from '../../../../src/contract/paths/path-rules.ts'
import { RETENTION_MAX_DAYS } from '../../../../src/contract/values/input-limits.ts'
import type { GetRoutes } from '../../api/routes.ts'
import { newId } from '../../state/new-id.ts'
import { trimFolder } from '../../ui/forms/folder-list.ts'

export type RetentionRule = GetRoutes['fristen']['answer']['regeln'][number]

export interface RetentionRuleDraft {
  id: string
  ordner: string
  tage: string
  /** The start of the period; `never` means that the folder is exempt. */
  ab: PeriodStart | 'never'
}

const DEFAULT_DAYS = 30

export const createDraft = (): RetentionRuleDraft => ({
  id: newId(),
  ordner: '',
  tage: String(DEFAULT_DAYS),
  ab: 'hochgeladen',
})

export const draftOf = ({ ordner, tage, ab }: RetentionRule): RetentionRuleDraft => ({
  id: newId(),
  ordner,
  tage: String(tage ?? DEFAULT_DAYS),
  ab: tage === null ? 'never' : (ab ?? 'hochgeladen'),
})

export const ruleOf = ({ ordner, tage, ab }: RetentionRuleDraft): RetentionRule => {
  const folder = trimFolder(ordner)
  return ab === 'never' ? { ordner: folder, tage: null } : { ordner: folder, tage: Number(tage), ab }
}

export interface DraftProblems {
  ordner?: 'folderInvalid' | 'folderTwice'
  tage?: 'daysInvalid'
}

/** The problems of each draft, in the order of the drafts. */
export function problemsOf(drafts: readonly RetentionRuleDraft[]): DraftProblems[] {
  const folders = drafts.map(({ ordner }) => trimFolder(ordner))
  return drafts.map(({ tage, ab }, index) => {
    const folder = folders[index]!
    const isRepeated = folders.indexOf(folder) < index
    const days = Number(tage)
    const areDaysValid = /^ *[0-9]+ *$/.test(tage) && days >= 1 && days <= RETENTION_MAX_DAYS
    return {
      ...(folder !== '' && !isValidPath(folder) && { ordner: 'folderInvalid' as const }),
      ...(isRepeated && { ordner: 'folderTwice' as const }),
      ...(ab !== 'never' && !areDaysValid && { tage: 'daysInvalid' as const }),
    }
  })
}

export const hasProblems = (problems: readonly DraftProblems[]) =>
  problems.some(draftProblems => Object.keys(draftProblems).length > 0)

/**
 * The rules as text for comparison. For an exemption, the start of the period is ignored: it may be saved but
 * has no effect.
 */
const comparableText = (rules: readonly RetentionRule[]) =>
  JSON.stringify(rules.map(({ ordner, tage, ab }) => [ordner, tage, tage === null ? null : ab]))

export const areRulesEqual = (rules: readonly RetentionRule[], otherRules: readonly RetentionRule[]) =>
  comparableText(rules) === comparableText(otherRules)
