/** English texts of the service's messages by code, loaded only for English; empty until then. */
import { createObservable } from '../state/observable.ts'
import type { Language } from './words.ts'

export const englishByCode = createObservable<Readonly<Record<string, string>>>({})

export function fetchSentences(language: Language): void {
  if (language !== 'en') return
  import('../../../src/contract/words/english.ts').then(
    ({ ENGLISH }) => englishByCode.set(ENGLISH),
    // Without a connection the service's own text stays; the next start tries again.
    () => undefined,
  )
}
