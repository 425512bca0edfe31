/** Which language is spoken: the browser's, English where it is neither, until it is switched; that is remembered. */
import { createContext, type ReactNode, useContext, useEffect, useMemo } from 'react'
import { useStored } from '../state/use-stored.ts'
import { createFormat, type Format } from './format.ts'
import { fetchSentences } from './sentences.ts'
import { LANGUAGES, type Language, type Text, type Words, type WordsIn } from './words.ts'

interface Spoken {
  language: Language
  speak(language: Language): void
  format: Format
}

const LanguageContext = createContext<Spoken | null>(null)

export function LanguageProvider({ children }: { children: ReactNode }) {
  const [stored, speak] = useStored<Language>('fundus-sprache', browserLanguage())
  const language = LANGUAGES.find(each => each === stored) ?? browserLanguage()
  useEffect(() => {
    document.documentElement.lang = language
    fetchSentences(language)
  }, [language])
  const spoken = useMemo(() => ({ language, format: createFormat(language), speak }), [language, speak])
  return <LanguageContext value={spoken}>{children}</LanguageContext>
}

const browserLanguage = (): Language => (navigator.language.startsWith('de') ? 'de' : 'en')

export function useLanguage(): Spoken {
  const spoken = useContext(LanguageContext)
  if (!spoken) throw new Error('LanguageProvider is missing.')
  return spoken
}

/** The texts in the present language. */
export function useWords<T extends Record<string, Text>>(words: Words<T>): WordsIn<T> {
  return words[useLanguage().language]
}

/** Texts and figures together, which most components want. */
export function useTexts<T extends Record<string, Text>>(words: Words<T>): { w: WordsIn<T>; format: Format } {
  const { language, format } = useLanguage()
  return { w: words[language], format }
}

/** Figures, sizes and times in the present language. */
export const useFormat = (): Format => useLanguage().format
