import { defineWords } from '../../language/words.ts'

export const words = defineWords({
  title: { de: 'Wartung', en: 'Upkeep' },
  description: {
    de: 'Vorschauen, WebP-Fassungen, Verwaistes und Sicherung.',
    en: 'Previews, WebP versions, orphans and backup.',
  },
})
