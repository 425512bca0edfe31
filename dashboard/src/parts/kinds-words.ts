import { defineWords } from '../language/words.ts'

/** The five kinds where many files are meant; `kindWords` is of one. */
export const kindsWords = defineWords({
  bilder: { de: 'Bilder', en: 'Pictures' },
  video: { de: 'Videos', en: 'Videos' },
  audio: { de: 'Töne', en: 'Sounds' },
  dokumente: { de: 'Dokumente', en: 'Documents' },
  sonstige: { de: 'Andere', en: 'Others' },
})
