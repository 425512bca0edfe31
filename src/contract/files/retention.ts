/**
 * Schemas of retention rules: after how many days the files of a folder go to the trash. Times are Unix
 * milliseconds.
 */
import { z } from 'zod'
import { DASHBOARD_ROUTE } from '../paths/addresses.ts'
import { folderInput } from '../paths/folder-input.ts'
import { RETENTION_MAX_DAYS, RETENTION_MAX_RULES } from '../values/input-limits.ts'
import { PERIOD_STARTS } from './choices.ts'

export const RETENTION_ROUTE = `${DASHBOARD_ROUTE}/fristen`

/**
 * Local time of the daily run: at night, after the backup (if that is at its default time) and after the
 * removal of orphaned objects.
 */
export const RETENTION_RUN_TIME = '05:00'

const DAYS_MESSAGE = `muss eine ganze Zahl von 1 bis ${RETENTION_MAX_DAYS} sein, oder null`
const daysInput = z.int(DAYS_MESSAGE).min(1, DAYS_MESSAGE).max(RETENTION_MAX_DAYS, DAYS_MESSAGE).nullable()

/**
 * If the folders of several rules contain a file, the rule with the longest path applies to it. `tage`
 * (days): null exempts the folder. `ab`: whether the period starts with the upload or with the last
 * retrieval; for a file that was never retrieved, it always starts with the upload.
 */
const retentionRule = z
  .strictObject({ ordner: folderInput, tage: daysInput, ab: z.enum(PERIOD_STARTS).nullish() })
  .refine(({ tage, ab }) => tage === null || ab, {
    path: ['ab'],
    error: 'muss „hochgeladen“ oder „abgerufen“ sein',
  })
export type RetentionRule = z.output<typeof retentionRule>

export const retentionInput = z.strictObject({
  regeln: z
    .array(retentionRule)
    .max(RETENTION_MAX_RULES, `darf höchstens ${RETENTION_MAX_RULES} Regeln enthalten`)
    .superRefine((rules, context) => {
      const repeatedIndex = rules.findIndex(
        ({ ordner }, index) => rules.findIndex(otherRule => otherRule.ordner === ordner) < index,
      )
      if (repeatedIndex >= 0)
        context.addIssue({ code: 'custom', path: [repeatedIndex, 'ordner'], message: 'kommt mehrmals vor' })
    }),
})

const retentionRuleAnswer = z.object({
  ordner: z.string(),
  tage: z.int().nullable(),
  ab: z.enum(PERIOD_STARTS).optional(),
})
export type RetentionRuleOnWire = z.output<typeof retentionRuleAnswer>

export const retentionAnswer = z.object({ regeln: z.array(retentionRuleAnswer) })

/** Maximum number of paths that a trial of the rules lists for each rule. */
export const RETENTION_TRIAL_EXAMPLES = 5

/**
 * `dateien`, `bytes`: what the rule would move to the trash now. `beispiele`: at most
 * `RETENTION_TRIAL_EXAMPLES` paths, the longest overdue first.
 */
export const retentionTrialAnswer = z.object({
  regeln: z.array(
    retentionRuleAnswer.extend({ dateien: z.int(), bytes: z.int(), beispiele: z.array(z.string()) }),
  ),
})

export const retentionRunAnswer = z.object({ dateien: z.int(), bytes: z.int() })

/**
 * `naechster_lauf`: the time of the next daily run. `naechste`: the time of the first daily run that will
 * move a file because of this rule; null if the rule will move none.
 */
export const retentionDatesAnswer = z.object({
  naechster_lauf: z.int(),
  regeln: z.array(z.object({ ordner: z.string(), naechste: z.int().nullable() })),
})

/**
 * `regel`: the rule that applies to the file; null if there is none. `seit`: the start of the file's period.
 * `endet_am`: the time of the run that will move the file to the trash. Both times are null if the file
 * stays.
 */
export const fileRetentionAnswer = z.object({
  regel: retentionRuleAnswer.nullable(),
  seit: z.int().nullable(),
  endet_am: z.int().nullable(),
})
