/** A text of the contract in both languages; `#` in it is replaced by a value. */
export interface BilingualText {
  de: string
  en: string
}

/** Replaces the first `#` by the value. */
export const withValue = (text: string, value: string) => text.replace('#', () => value)
