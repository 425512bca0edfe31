/**
 * Calculates what an import of settings would change, and checks its values with the schemas of the service.
 */
import { isEmptySetting } from '../../../../../src/contract/service/empty-setting.ts'
import type { SettingName, SettingValue } from '../../../../../src/contract/service/settings.ts'
import type { SettingsAnswer } from '../../../api/routes.ts'
import type { Language } from '../../../language/words.ts'
import { currentValueOf, type DraftChange, fieldValueOf } from '../drafts.ts'
import { problemOf, type SettingRules } from '../rules.ts'

export interface ImportPlan {
  changes: readonly DraftChange[]
  problems: readonly { name: SettingName; problem: string }[]
  unknownNames: readonly string[]
}

/** The content of an exported file; null if the text is not a JSON object. */
export function readExport(text: string): Record<string, unknown> | null {
  try {
    const content: unknown = JSON.parse(text)
    return typeof content === 'object' && content !== null && !Array.isArray(content)
      ? (content as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}

export function planImport(
  content: Record<string, unknown>,
  settings: SettingsAnswer,
  rules: SettingRules,
  language: Language,
): ImportPlan {
  const hasDecimalComma = language === 'de'
  const knownEntries = Object.entries(content).filter(
    (entry): entry is [SettingName, unknown] => rules.isSettingName(entry[0]) && !isEmptySetting(entry[1]),
  )
  const problems = knownEntries.flatMap(([name, value]) => {
    const problem = problemOf(rules, name, value, language)
    return problem === null ? [] : [{ name, problem }]
  })
  const changes = knownEntries.flatMap(([name, value]): DraftChange[] => {
    const result = rules.settingSchemas[name].safeParse(value)
    if (!result.success || isEmptySetting(result.data)) return []
    const [currentValue, importedValue] = [currentValueOf(settings, name), result.data as SettingValue]
    if (currentValue === null) return [{ name, from: null, to: fieldValueOf(importedValue, hasDecimalComma) }]
    if (JSON.stringify(currentValue) === JSON.stringify(importedValue)) return []
    return [
      {
        name,
        from: fieldValueOf(currentValue, hasDecimalComma),
        to: fieldValueOf(importedValue, hasDecimalComma),
      },
    ]
  })
  return { changes, problems, unknownNames: Object.keys(content).filter(name => !rules.isSettingName(name)) }
}
