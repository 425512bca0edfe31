/**
 * The language of the page: the stored choice of the user. Without one, German if the browser is set to
 * German, else English.
 */
import { createContext, type ReactNode, useContext, useEffect, useMemo } from 'react'
import { useStoredState } from '../state/use-stored.ts'
import { createFormat, type Format } from './format.ts'
import { loadTranslations } from './sentences.ts'
import { LANGUAGES, type Language, type UiText, type Words, type WordsIn } from './words.ts'

interface LanguageState {
  language: Language
  setLanguage(language: Language): void
  format: Format
}

const LanguageContext = createContext<LanguageState | null>(null)

export function LanguageProvider({ children }: { children: ReactNode }) {
  const [storedLanguage, setLanguage] = useStoredState<Language>('fundus-sprache', browserLanguage())
  const language = LANGUAGES.find(candidate => candidate === storedLanguage) ?? browserLanguage()
  useEffect(() => {
    document.documentElement.lang = language
    loadTranslations(language)
  }, [language])
  const languageState = useMemo(
    () => ({ language, format: createFormat(language), setLanguage }),
    [language, setLanguage],
  )
  return <LanguageContext value={languageState}>{children}</LanguageContext>
}

const browserLanguage = (): Language => (navigator.language.startsWith('de') ? 'de' : 'en')

export function useLanguage(): LanguageState {
  const languageState = useContext(LanguageContext)
  if (!languageState) throw new Error('LanguageProvider is missing.')
  return languageState
}

export function useWords<T extends Record<string, UiText>>(words: Words<T>): WordsIn<T> {
  return words[useLanguage().language]
}

/** The texts (`w`) and the formatting functions together, since most components need both. */
export function useTexts<T extends Record<string, UiText>>(
  words: Words<T>,
): { w: WordsIn<T>; format: Format } {
  const { language, format } = useLanguage()
  return { w: words[language], format }
}

export const useFormat = (): Format => useLanguage().format
