/** Formats what commands print, in the language of the terminal: numbers, sizes, times and lists. */

import { type Language, sayIn } from '../base/language.ts'
import { formatBytes } from '../contract/values/bytes.ts'
import type { Names } from '../features/integrity/names.ts'

const LOCALES = { de: 'de-DE', en: 'en-GB' } as const

/** Maximum number of names per list in a text report; the JSON report has more. */
const MAX_NAMES_SHOWN = 20

export type Speech = ReturnType<typeof createSpeech>

export function createSpeech(language: Language) {
  const say = sayIn(language)
  const number = (value: number) => value.toLocaleString(LOCALES[language])

  /** One line for each of the first names, and a line with the number of the others. */
  function firstNames({ count, names }: Names): string[] {
    const hiddenCount = count - Math.min(names.length, MAX_NAMES_SHOWN)
    const lines = names.slice(0, MAX_NAMES_SHOWN).map(name => `  ${name}`)
    return hiddenCount > 0
      ? [...lines, say(`  … und ${number(hiddenCount)} weitere`, `  … and ${number(hiddenCount)} more`)]
      : lines
  }

  return {
    language,
    say,
    number,
    bytes: (count: number) => formatBytes(count, language),
    /** For example `15.11.2026, 04:10`, in local time. */
    time: (timestamp: number) =>
      new Date(timestamp).toLocaleString(LOCALES[language], { dateStyle: 'medium', timeStyle: 'short' }),
    firstNames,
    /** The lines of a list with title and advice; none if the list is empty. */
    section(title: string, list: Names, advice?: string) {
      if (list.count === 0) return []
      const adviceLines = advice === undefined ? [] : [`  ${advice}`]
      return ['', `${title}: ${number(list.count)}`, ...firstNames(list), ...adviceLines]
    },
  }
}
