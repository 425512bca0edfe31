/** UI texts about the number of backup targets that have an archive, shared by several pages. */
import { defineWords } from '../language/words.ts'

export const backupPlaceWords = defineWords({
  places: {
    de: (count: number) =>
      ['an keinem Ort mehr', 'nur an einem Ort', 'an zwei Orten'][count] ?? `an ${count} Orten`,
    en: (count: number) =>
      ['at no location any more', 'at one location only', 'at two locations'][count] ??
      `at ${count} locations`,
  },
  gone: {
    de: 'Das letzte Archiv liegt an keinem Ort mehr.',
    en: 'The last archive is no longer at any location.',
  },
})
