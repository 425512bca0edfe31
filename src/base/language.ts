/**
 * The language of the terminal: commands, their help and their errors, and the greeting of a start, are
 * German or English. Answers on the wire and the log are not concerned.
 */

/** One text in both languages. */
export type Text = readonly [german: string, english: string]

export type Language = 'de' | 'en'

/**
 * German where the environment asks for it, else English. Windows has no such variables by itself: there
 * `set LANG=de` asks for German. (Asking the runtime for the language of the system ends it under Wine.)
 */
export function languageOf(environment: Readonly<Record<string, string | undefined>>): Language {
  const named = environment.LC_ALL || environment.LC_MESSAGES || environment.LANG || ''
  return /^de(?:[-_.@]|$)/.test(named) ? 'de' : 'en'
}

/** Says a text in the language of the person who reads it. */
export type Say = (german: string, english: string) => string

export const sayIn =
  (language: Language): Say =>
  (german, english) =>
    language === 'de' ? german : english
