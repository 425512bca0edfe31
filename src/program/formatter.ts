/** Formats what commands print, in the language of the terminal: numbers, sizes, times and lists. */

import { createPickText, type Language } from '../base/language.ts'
import { formatBytes } from '../contract/values/bytes.ts'
import { LOCALES } from '../contract/words/both-languages.ts'
import type { CountedNames } from '../features/integrity/names.ts'

/** Maximum number of names per list in a text report; the JSON report may have more. */
const MAX_NAMES_SHOWN = 20

export type Formatter = ReturnType<typeof createFormatter>

export function createFormatter(language: Language) {
  const localize = createPickText(language)
  const formatNumber = (value: number) => value.toLocaleString(LOCALES[language])

  /** One line for each of the first `MAX_NAMES_SHOWN` names, and a line with the number of names left out. */
  function nameLines({ count, names }: CountedNames): string[] {
    const hiddenCount = count - Math.min(names.length, MAX_NAMES_SHOWN)
    const lines = names.slice(0, MAX_NAMES_SHOWN).map(name => `  ${name}`)
    return hiddenCount > 0
      ? [
          ...lines,
          localize(
            `  … und ${formatNumber(hiddenCount)} weitere`,
            `  … and ${formatNumber(hiddenCount)} more`,
          ),
        ]
      : lines
  }

  return {
    language,
    localize,
    formatNumber,
    formatSize: (count: number) => formatBytes(count, language),
    /** For example `15.11.2026, 04:10` in German, in local time. */
    formatTime: (timestamp: number) =>
      new Date(timestamp).toLocaleString(LOCALES[language], { dateStyle: 'medium', timeStyle: 'short' }),
    nameLines,
    /** The lines of a list with title and advice; none if the list is empty. */
    listLines(title: string, list: CountedNames, advice?: string) {
      if (list.count === 0) return []
      const adviceLines = advice === undefined ? [] : [`  ${advice}`]
      return ['', `${title}: ${formatNumber(list.count)}`, ...nameLines(list), ...adviceLines]
    },
  }
}
