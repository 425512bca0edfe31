/**
 * Texts in both languages: `defineWords({ save: { de: 'Speichern', en: 'Save' } })`. A text with values is a
 * function: `filled` inserts values, `plural` distinguishes one from many. A missing or differently shaped
 * English text is a type error.
 */
import { COMMON } from './common-words.ts'

export const LANGUAGES = ['de', 'en'] as const
export type Language = (typeof LANGUAGES)[number]

// biome-ignore lint/suspicious/noExplicitAny: any function will do; what it takes is the text's own affair
export type Text = string | ((...values: any[]) => string)
/** English may be another string, but must take the same values. */
type Alike<T> = T extends string ? string : T

type Common = { readonly [K in keyof typeof COMMON]: string }
/** The words of the set, and the common ones. */
export type WordsIn<T extends Record<string, Text>> = { readonly [K in keyof T]: Alike<T[K]> } & Omit<
  Common,
  keyof T
>
export type Words<T extends Record<string, Text>> = Readonly<Record<Language, WordsIn<T>>>

type Pairs = Readonly<Record<string, Readonly<Record<Language, unknown>>>>

const wordsIn = (pairs: Pairs, language: Language) =>
  Object.fromEntries(Object.entries(pairs).map(([name, pair]) => [name, pair[language]]))

const common = { de: wordsIn(COMMON, 'de'), en: wordsIn(COMMON, 'en') }

export function defineWords<T extends Record<string, Text>>(
  pairs: {
    [K in keyof T]: { de: T[K]; en: Alike<NoInfer<T[K]>> }
  },
): Words<T> {
  // The common words are the prototype, so that a set lists only its own.
  const of = (language: Language) =>
    Object.assign(Object.create(common[language]), wordsIn(pairs, language)) as WordsIn<T>
  return { de: of('de'), en: of('en') }
}

type Value = string | number
/** One value for each `#`. */
type Values<T extends string> = T extends `${string}#${infer Rest}` ? [Value, ...Values<Rest>] : []

const put = (text: string, values: readonly Value[]) => {
  const next = values.values()
  return text.replaceAll('#', () => String(next.next().value))
}

/** A text with values: `filled({ de: 'Nach #', en: 'Into #' })`, then `w.into(folder)`. */
export const filled = <const De extends string>({ de, en }: { de: De; en: string }) => ({
  de: (...values: Values<De>) => put(de, values),
  en: (...values: Values<De>) => put(en, values),
})

/** A text for one and one for many, with the formatted number: `w.files(count, format.number(count))`. */
export const plural = ({ de, en }: Readonly<Record<Language, readonly [one: string, many: string]>>) => ({
  de: (count: number, text: string) => (count === 1 ? de[0] : put(de[1], [text])),
  en: (count: number, text: string) => (count === 1 ? en[0] : put(en[1], [text])),
})
