/** The two languages of the dashboard, of pages for visitors, and of commands. */

/** The locale of each language, with which numbers and times are formatted. */
export const LOCALES = { de: 'de-DE', en: 'en-GB' } as const

/** A text in German and English. If it contains `#`, a value replaces it (`insertValue`). */
export interface BilingualText {
  de: string
  en: string
}

/** Replaces the first `#` by the value. */
export const insertValue = (text: string, value: string) => text.replace('#', () => value)
