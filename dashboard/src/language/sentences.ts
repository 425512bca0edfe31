/** The English sentences of the service, fetched once English is spoken: the first view in German need not carry them. */
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
