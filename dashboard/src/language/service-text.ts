/**
 * The sentences of the service: in German as they were sent, in English by their code. Until the English
 * texts are loaded, and for an unknown code, the German sentence is shown.
 */
import type { BackupReport } from '../../../src/contract/service/backup.ts'
import { ownValue } from '../../../src/contract/values/own-value.ts'
import { useObservable } from '../state/observable.ts'
import { useLanguage } from './language.tsx'
import { englishByCode } from './sentences.ts'

export type TranslateSentence = (sentence: string, code?: string) => string

export function useServiceText(): TranslateSentence {
  const { language } = useLanguage()
  const sentences = useObservable(englishByCode)
  return (sentence, code) =>
    (language === 'en' && code !== undefined && ownValue(sentences, code)) || sentence
}

/**
 * Why a backup or a rehearsal failed. A report of an earlier version has no codes; its German text is shown.
 */
export function failureText(
  { fehler = '', fehler_codes: codes = [] }: Pick<BackupReport, 'fehler' | 'fehler_codes'>,
  translate: TranslateSentence,
): string {
  const sentences = codes.map(code => translate('', code))
  return sentences.length === 0 || sentences.includes('') ? fehler : sentences.join(' ')
}

/** The warnings of a report. A report of an earlier version has no codes; its German texts are shown. */
export const warningTexts = (
  { warnungen, warnungen_codes: codes = [] }: Pick<BackupReport, 'warnungen' | 'warnungen_codes'>,
  translate: TranslateSentence,
): string[] => warnungen.map((warning, at) => translate(warning, codes[at]))
