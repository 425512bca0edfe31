/**
 * Routes of the retention rules, `/api/dash/fristen`: read and save the rules, try them, run them, and find
 * out when files are due.
 */
import {
  fileRetentionAnswer,
  RETENTION_ROUTE,
  type RetentionRule,
  type RetentionRuleOnWire,
  retentionAnswer,
  retentionDatesAnswer,
  retentionInput,
  retentionRunAnswer,
  retentionTrialAnswer,
} from '../../contract/files/retention.ts'
import type { Area } from '../../http/access/library-area.ts'
import { fileTarget, type SessionRoute, sessionRoute } from '../../http/route-rights.ts'
import type { Retention } from './retention.ts'
import type { Rule } from './rules.ts'

export function retentionRoutes(retention: Retention): SessionRoute[] {
  const rulesOnWire = async (area: Area) => ({ regeln: (await retention.rules(area)).map(ruleOnWire) })
  return [
    sessionRoute('GET', RETENTION_ROUTE, {
      role: 'redaktion',
      targets: 'nothing',
      summary: 'Die Aufbewahrungsfristen der Ordner',
      answer: retentionAnswer,
      handle: (_, { area }) => rulesOnWire(area),
    }),
    sessionRoute('PUT', RETENTION_ROUTE, {
      role: 'betreiber',
      summary: 'Ersetzt alle Aufbewahrungsfristen; sie gelten ab dem nächsten Lauf',
      body: retentionInput,
      answer: retentionAnswer,
      async handle({ body }, { actor, area }) {
        await retention.save(body.regeln.map(ruleOf), actor)
        return rulesOnWire(area)
      },
    }),
    sessionRoute('POST', `${RETENTION_ROUTE}/probe`, {
      role: 'betreiber',
      summary: 'Was mit diesen Fristen jetzt in den Papierkorb ginge; ändert nichts',
      body: retentionInput,
      answer: retentionTrialAnswer,
      async handle({ body }) {
        const outcomes = await retention.tryRules(body.regeln.map(ruleOf))
        return {
          regeln: outcomes.map(({ rule, files, bytes, examples }) => ({
            ...ruleOnWire(rule),
            dateien: files,
            bytes,
            beispiele: examples,
          })),
        }
      },
    }),
    sessionRoute('POST', `${RETENTION_ROUTE}/ausfuehren`, {
      role: 'betreiber',
      summary: 'Legt jetzt in den Papierkorb, wessen Frist abgelaufen ist; sonst geschieht das täglich',
      answer: retentionRunAnswer,
      async handle(_, { actor }) {
        const { files, bytes } = await retention.runNow(actor)
        return { dateien: files, bytes }
      },
    }),
    sessionRoute('GET', `${RETENTION_ROUTE}/termine`, {
      role: 'redaktion',
      targets: 'nothing',
      summary: 'Wann der nächste Lauf ist, und wann jede Frist zum ersten Mal etwas findet',
      answer: retentionDatesAnswer,
      async handle(_, { area }) {
        const { nextRun, dates } = await retention.dates(area)
        return {
          naechster_lauf: nextRun,
          regeln: dates.map(({ folder, next: nextTime }) => ({ ordner: folder, naechste: nextTime })),
        }
      },
    }),
    sessionRoute('GET', `${RETENTION_ROUTE}/datei/:pfad{.+}`, {
      role: 'redaktion',
      targets: fileTarget,
      summary: 'Welche Frist für eine Datei gilt und wann sie endet',
      answer: fileRetentionAnswer,
      async handle({ param }) {
        const { rule, periodStart, endsAt } = await retention.findForFile(param('pfad'))
        return { regel: rule && ruleOnWire(rule), seit: periodStart, endet_am: endsAt }
      },
    }),
  ]
}

const ruleOf = ({ ordner, tage, ab }: RetentionRule): Rule => ({
  folder: ordner,
  days: tage,
  start: ab ?? null,
})

const ruleOnWire = ({ folder, days, start }: Rule): RetentionRuleOnWire => ({
  ordner: folder,
  tage: days,
  ...(start !== null && { ab: start }),
})
