/**
 * What each setting accepts, by the schemas of the service itself. They are fetched when this page is open and weigh on
 * no other; until they are there the service alone judges.
 */
import { useEffect, useState } from 'react'
import { ownValue } from '../../../../src/contract/own-value.ts'
import type * as settings from '../../../../src/contract/settings.ts'
import { ApiError } from '../../api/error.ts'
import type { Language } from '../../language/words.ts'

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

/** The clauses of the schemas in English; a clause that is not here is said in German. */
const ENGLISH: Readonly<Record<string, string>> = {
  'muss eine Zahl in Megabyte sein': 'must be a number of megabytes',
  'muss größer als null sein': 'must be greater than zero',
  'muss ein Text sein': 'must be a text',
  'muss ein vollständiger Pfad sein: mit Laufwerksbuchstaben, als Netzwerkfreigabe oder ab der Wurzel':
    'must be a complete path: with a drive letter, as a network share, or from the root',
  'muss unter Windows mit einem Laufwerksbuchstaben beginnen oder eine Netzwerkfreigabe sein':
    'must begin with a drive letter or be a network share on Windows',
  'darf keine Steuerzeichen enthalten': 'must not contain control characters',
  'muss eine Adresse sein, die mit http:// oder https:// beginnt, ohne Fragezeichen und Raute':
    'must be an address that begins with http:// or https://, without ? and #',
  'muss eine Adresse sein, die mit http:// oder https:// beginnt':
    'must be an address that begins with http:// or https://',
  'muss ein Hostname ohne Port sein': 'must be a host name without a port',
  'muss ja oder nein sein': 'must be yes (ja) or no (nein)',
  'muss eine Uhrzeit wie 03:30 sein': 'must be a time such as 03:30',
  'muss eine ganze Zahl sein': 'must be a whole number',
  'muss mindestens 1 sein': 'must be at least 1',
  'muss ein Name in einer Zeile sein': 'must be a name on one line',
}

const inEnglish = (why: string) =>
  ownValue(ENGLISH, why) ??
  why
    .replace(/^darf höchstens (\d+) sein$/, 'must be at most $1')
    .replace(/^darf höchstens (\d+) Zeichen haben$/, 'must have at most $1 characters')
    .replace(/^muss eine Liste aus (.+) sein$/, 'must be a list of $1')

/** Why this cannot be saved, as a sentence beside the field; null when it can. Empty is always right: back to default. */
export function problemOf(
  rules: Rules | null,
  name: settings.SettingName,
  given: unknown,
  language: Language,
): string | null {
  if (!rules || given === undefined || (typeof given === 'string' && given.trim() === '')) return null
  const result = rules.settingSchemas[name].safeParse(given)
  const clause = result.success ? undefined : result.error.issues[0]?.message
  if (clause === undefined) return null
  const why = language === 'en' ? inEnglish(clause) : clause
  return `${why[0]!.toUpperCase()}${why.slice(1)}.`
}

/** Which setting the service refused, so that its sentence can stand there. */
export function refusedSetting(error: Error | null): string | null {
  if (!(error instanceof ApiError)) return null
  return /^Die Einstellung ([A-Z_]+) /.exec(error.sentence)?.[1] ?? null
}
