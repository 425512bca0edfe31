/** Calculates the preview of an import, by the rules of the service. */
import type { SettingName, SettingValue } from '../../../../../src/contract/service/settings.ts'
import type { SettingsAnswer } from '../../../api/routes.ts'
import type { Language } from '../../../language/words.ts'
import { type Change, fieldValueOf, valueIn } from '../drafts.ts'
import { problemOf, type Rules } from '../rules.ts'

export interface ImportPlan {
  changes: readonly Change[]
  problems: readonly { name: SettingName; problem: string }[]
  unknown: readonly string[]
}

/** The content of an exported file; null if the text is not an export. */
export function readExport(text: string): Record<string, unknown> | null {
  try {
    const given: unknown = JSON.parse(text)
    return typeof given === 'object' && given !== null && !Array.isArray(given)
      ? (given as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}

export function planImport(
  given: Record<string, unknown>,
  settings: SettingsAnswer,
  rules: Rules,
  language: Language,
): ImportPlan {
  const comma = language === 'de'
  const known = Object.entries(given).filter(
    (entry): entry is [SettingName, unknown] => rules.isSettingName(entry[0]) && !isEmpty(entry[1]),
  )
  const problems = known.flatMap(([name, value]) => {
    const problem = problemOf(rules, name, value, language)
    return problem === null ? [] : [{ name, problem }]
  })
  const changes = known.flatMap(([name, value]): Change[] => {
    const result = rules.settingSchemas[name].safeParse(value)
    if (!result.success || isEmpty(result.data)) return []
    const [now, next] = [valueIn(settings, name), result.data as SettingValue]
    if (now === null) return [{ name, from: null, to: fieldValueOf(next, comma) }]
    if (JSON.stringify(now) === JSON.stringify(next)) return []
    return [{ name, from: fieldValueOf(now, comma), to: fieldValueOf(next, comma) }]
  })
  return { changes, problems, unknown: Object.keys(given).filter(name => !rules.isSettingName(name)) }
}

/** Whether a value is empty. As on the service, an empty value does not overwrite anything. */
const isEmpty = (value: unknown) =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0)
