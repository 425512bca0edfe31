/**
 * Sentences of the service in the present language: German as the service says them, English by their code. The English
 * ones are fetched with the language; until they are here, and for a code that this version does not know, the
 * service's own text stays.
 */
import type { BackupReport } from '../../../src/contract/service/backup.ts'
import { ownValue } from '../../../src/contract/values/own-value.ts'
import { useObservable } from '../state/observable.ts'
import { useLanguage } from './language.tsx'
import { englishSentences } from './sentences.ts'

export type ServiceText = (sentence: string, code?: string) => string

export function useServiceText(): ServiceText {
  const { language } = useLanguage()
  const sentences = useObservable(englishSentences)
  return (sentence, code) =>
    (language === 'en' && code !== undefined && ownValue(sentences, code)) || sentence
}

/** Why a backup failed. A report of an earlier version has no codes and is said as the service wrote it. */
export function failureText(
  { fehler = '', fehler_codes: codes = [] }: BackupReport,
  text: ServiceText,
): string {
  const said = codes.map(code => text('', code))
  return said.length === 0 || said.includes('') ? fehler : said.join(' ')
}

/** The warnings of a report or a state. A report of an earlier version has no codes and is said as the service wrote it. */
export const warningTexts = (
  { warnungen, warnungen_codes: codes = [] }: Pick<BackupReport, 'warnungen' | 'warnungen_codes'>,
  text: ServiceText,
): string[] => warnungen.map((warning, at) => text(warning, codes[at]))
