/** Which language is spoken: German unless switched, remembered by the browser. */
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { createFormat, type Format } from './format.ts'
import { LANGUAGES, type Language, type Text, type Words, type WordsIn } from './words.ts'

const STORAGE_KEY = 'fundus-sprache'

interface Spoken {
  language: Language
  speak(language: Language): void
  format: Format
}

const LanguageContext = createContext<Spoken | null>(null)

export function LanguageProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState(remembered)
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])
  const spoken = useMemo(
    () => ({
      language,
      format: createFormat(language),
      speak(next: Language) {
        localStorage.setItem(STORAGE_KEY, next)
        setLanguage(next)
      },
    }),
    [language],
  )
  return <LanguageContext value={spoken}>{children}</LanguageContext>
}

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

function remembered(): Language {
  const stored = localStorage.getItem(STORAGE_KEY)
  return LANGUAGES.find(each => each === stored) ?? 'de'
}
