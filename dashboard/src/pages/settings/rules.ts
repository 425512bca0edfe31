/** The rules of what each setting accepts: the schemas of the service, which only this page loads. */
import { useEffect, useState } from 'react'
import { settingClause } from '../../../../src/contract/service/setting-clauses.ts'
import type * as settings from '../../../../src/contract/service/settings.ts'
import type { Language } from '../../language/words.ts'

export type Rules = typeof settings

let fetched: Promise<Rules> | undefined

export function loadRules(): Promise<Rules> {
  fetched ??= import('../../../../src/contract/service/settings.ts').catch(error => {
    fetched = undefined
    throw error
  })
  return fetched
}

export function useRules(): Rules | null {
  const [rules, setRules] = useState<Rules | null>(null)
  useEffect(() => {
    loadRules().then(setRules, () => undefined)
  }, [])
  return rules
}

/**
 * Why this value cannot be saved; null if it can. An empty value is always valid, because it resets the
 * setting.
 */
export function problemOf(
  rules: Rules | null,
  name: settings.SettingName,
  given: unknown,
  language: Language,
): string | null {
  if (!rules || given === undefined || (typeof given === 'string' && given.trim() === '')) return null
  const result = rules.settingSchemas[name].safeParse(given)
  if (result.success) return null
  const why = settingClause(result.error.issues[0]?.message, language)
  return `${why[0]!.toUpperCase()}${why.slice(1)}.`
}
