/**
 * Texts in both languages, side by side: `defineWords({ save: { de: 'Speichern', en: 'Save' } })`. A text with a figure
 * in it is a function. The type makes a missing or differently shaped English text an error.
 */

export const LANGUAGES = ['de', 'en'] as const
export type Language = (typeof LANGUAGES)[number]

// biome-ignore lint/suspicious/noExplicitAny: any function will do; what it takes is the text's own affair
export type Text = string | ((...values: any[]) => string)
/** English may be another string, but must take the same values. */
type Alike<T> = T extends string ? string : T

export type WordsIn<T extends Record<string, Text>> = { readonly [K in keyof T]: Alike<T[K]> }
export type Words<T extends Record<string, Text>> = Readonly<Record<Language, WordsIn<T>>>

export function defineWords<T extends Record<string, Text>>(
  pairs: {
    [K in keyof T]: { de: T[K]; en: Alike<NoInfer<T[K]>> }
  },
): Words<T> {
  const of = (language: Language) =>
    Object.fromEntries(Object.entries(pairs).map(([name, pair]) => [name, pair[language]])) as WordsIn<T>
  return { de: of('de'), en: of('en') }
}
