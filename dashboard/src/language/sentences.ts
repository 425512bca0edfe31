/**
 * The English translations of the service’s messages, by code. They are loaded when the page is first shown
 * in English; until they have loaded, the map is empty.
 */
import { createObservable } from '../state/observable.ts'
import type { Language } from './words.ts'

export const englishSentences = createObservable<Readonly<Record<string, string>>>({})

export function loadTranslations(language: Language): void {
  if (language !== 'en') return
  import('../../../src/contract/words/english.ts').then(
    ({ ENGLISH_SENTENCES: ENGLISH }) => englishSentences.set(ENGLISH),
    // If loading fails, the German text of the service is shown; the next visit tries again.
    () => undefined,
  )
}
