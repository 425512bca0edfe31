/**
 * The language of the terminal, German or English, for commands, help, errors and the greeting. It does not
 * affect HTTP answers or the log.
 */

export type TextPair = readonly [german: string, english: string]

export type Language = 'de' | 'en'

/**
 * German if the locale (`LC_ALL`, `LC_MESSAGES` or `LANG`) is German, otherwise English. Windows does not set
 * these variables by default, but `set LANG=de` works. (The language of Windows itself is not read, because
 * under Wine the runtime crashes then.)
 */
export function terminalLanguageOf(environment: Readonly<Record<string, string | undefined>>): Language {
  const locale = environment.LC_ALL || environment.LC_MESSAGES || environment.LANG || ''
  return /^de(?:[-_.@]|$)/.test(locale) ? 'de' : 'en'
}

/**
 * An error that is shown as one sentence, in the language of the terminal. `message` is the German sentence.
 */
export class SentenceError extends Error {
  constructor(
    message: string,
    readonly english = message,
  ) {
    super(message)
  }
}

/** Returns the German or the English text, depending on the language of the terminal. */
export type PickText = (german: string, english: string) => string

export const createPickText =
  (language: Language): PickText =>
  (german, english) =>
    language === 'de' ? german : english
