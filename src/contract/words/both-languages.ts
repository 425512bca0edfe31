/** A text in German and English. If it contains `#`, a value takes its place (`withValue`). */
export interface BilingualText {
  de: string
  en: string
}

/** Replaces the first `#` by the value. */
export const withValue = (text: string, value: string) => text.replace('#', () => value)
