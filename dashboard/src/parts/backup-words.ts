/** What more than one page says about the last backup. */
import { defineWords } from '../language/words.ts'

export const backupPlaces = defineWords({
  places: {
    de: (count: number) =>
      ['an keinem Ort mehr', 'nur an einem Ort', 'an zwei Orten'][count] ?? `an ${count} Orten`,
    en: (count: number) =>
      ['in no place any more', 'in one place only', 'in two places'][count] ?? `in ${count} places`,
  },
  gone: {
    de: 'Das letzte Archiv liegt an keinem Ort mehr.',
    en: 'The last archive is in no place any more.',
  },
})
