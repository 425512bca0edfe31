/** The service's English sentences, loaded only for English. */
import { createObservable } from '../state/observable.ts'
import type { Language } from './words.ts'

export const englishSentences = createObservable<Readonly<Record<string, string>>>({})

export function fetchSentences(language: Language): void {
  if (language !== 'en') return
  import('../../../src/contract/words/english.ts').then(
    ({ ENGLISH }) => englishSentences.set(ENGLISH),
    // Without a connection the service's own text stays; the next start tries again.
    () => undefined,
  )
}
