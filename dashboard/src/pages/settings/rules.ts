/**
 * The schemas with which the service checks settings. They are loaded on demand, because only the settings
 * page needs them.
 */
import { useEffect, useState } from 'react'
import { settingClause } from '../../../../src/contract/service/setting-clauses.ts'
import type * as settings from '../../../../src/contract/service/settings.ts'
import type { Language } from '../../language/words.ts'

export type SettingRules = typeof settings

let rulesPromise: Promise<SettingRules> | undefined

export function loadSettingRules(): Promise<SettingRules> {
  rulesPromise ??= import('../../../../src/contract/service/settings.ts').catch(error => {
    rulesPromise = undefined
    throw error
  })
  return rulesPromise
}

export function useSettingRules(): SettingRules | null {
  const [rules, setRules] = useState<SettingRules | null>(null)
  useEffect(() => {
    loadSettingRules().then(setRules, () => undefined)
  }, [])
  return rules
}

/**
 * Why this value cannot be saved; null if it can, or if the schemas are not loaded yet. An empty text is
 * always valid, because it resets the setting.
 */
export function problemOf(
  rules: SettingRules | null,
  name: settings.SettingName,
  value: unknown,
  language: Language,
): string | null {
  if (!rules || value === undefined || (typeof value === 'string' && value.trim() === '')) return null
  const result = rules.settingSchemas[name].safeParse(value)
  if (result.success) return null
  const clause = settingClause(result.error.issues[0]?.message, language)
  return `${clause[0]!.toUpperCase()}${clause.slice(1)}.`
}
