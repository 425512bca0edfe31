import { defineWords } from '../../language/words.ts'

export const words = defineWords({
  title: { de: 'Übersicht', en: 'Overview' },
  description: {
    de: 'Wie viel da ist, und ob alles in Ordnung ist.',
    en: 'How much there is, and whether all is well.',
  },
  files: { de: 'Dateien', en: 'Files' },
  size: { de: 'Größe', en: 'Size' },
  retrievals: { de: 'Abrufe in 7 Tagen', en: 'Retrievals in 7 days' },
  free: { de: 'Freier Platz', en: 'Free space' },
})
