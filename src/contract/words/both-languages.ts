/** The two languages of the dashboard, of pages for visitors, and of commands. */

/** With the locale for numbers and times. */
export const LOCALES = { de: 'de-DE', en: 'en-GB' } as const

/** A text in German and English. If it contains `#`, a value takes its place (`withValue`). */
export interface BilingualText {
  de: string
  en: string
}

/** Replaces the first `#` by the value. */
export const withValue = (text: string, value: string) => text.replace('#', () => value)
