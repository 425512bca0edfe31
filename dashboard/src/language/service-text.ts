/**
 * Translates the messages of the service, which it sends in German with a code. The German text is shown on a
 * German page, while the translations are loading, and if the code is missing or unknown.
 */
import type { BackupReport } from '../../../src/contract/service/backup.ts'
import { ownValue } from '../../../src/contract/values/own-value.ts'
import { useObservable } from '../state/observable.ts'
import { useLanguage } from './language.tsx'
import { englishSentences } from './sentences.ts'

export type TranslateSentence = (sentence: string, code?: string) => string

export function useServiceText(): TranslateSentence {
  const { language } = useLanguage()
  const sentences = useObservable(englishSentences)
  return (sentence, code) =>
    (language === 'en' && code !== undefined && ownValue(sentences, code)) || sentence
}

/**
 * Why a backup or a restore rehearsal failed. The German text is shown on a German page, and if a code has no
 * translation or there are no codes, as in a report of an earlier version.
 */
export function backupFailureText(
  { fehler = '', fehler_codes: codes = [] }: Pick<BackupReport, 'fehler' | 'fehler_codes'>,
  translate: TranslateSentence,
): string {
  const sentences = codes.map(code => translate('', code))
  return sentences.length === 0 || sentences.includes('') ? fehler : sentences.join(' ')
}

/**
 * The warnings of a backup report, translated if the page is English. A report of an earlier version has no
 * codes, so its German texts are shown.
 */
export const backupWarningTexts = (
  { warnungen, warnungen_codes: codes = [] }: Pick<BackupReport, 'warnungen' | 'warnungen_codes'>,
  translate: TranslateSentence,
): string[] => warnungen.map((warning, index) => translate(warning, codes[index]))
