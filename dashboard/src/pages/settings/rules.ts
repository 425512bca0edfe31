/**
 * What each setting accepts, by the schemas of the service itself. They are fetched when this page is open and weigh on
 * no other; until they are there the service alone judges.
 */
import { useEffect, useState } from 'react'
import type * as settings from '../../../../src/contract/settings.ts'
import { ApiError } from '../../api/error.ts'

export type Rules = typeof settings

let fetched: Promise<Rules> | undefined

export function loadRules(): Promise<Rules> {
  fetched ??= import('../../../../src/contract/settings.ts').catch(error => {
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

/** Why this cannot be saved, as a sentence beside the field; null when it can. Empty is always right: back to default. */
export function problemOf(rules: Rules | null, name: settings.SettingName, given: unknown): string | null {
  if (!rules || given === undefined || (typeof given === 'string' && given.trim() === '')) return null
  const result = rules.settingSchemas[name].safeParse(given)
  const why = result.success ? undefined : result.error.issues[0]?.message
  return why === undefined ? null : `${why[0]!.toUpperCase()}${why.slice(1)}.`
}

/** Which setting the service refused, so that its sentence can stand there. */
export function refusedSetting(error: Error | null): string | null {
  if (!(error instanceof ApiError)) return null
  return /^Die Einstellung ([A-Z_]+) /.exec(error.sentence)?.[1] ?? null
}
