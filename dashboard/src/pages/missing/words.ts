import { defineWords } from '../../language/words.ts'

export const words = defineWords({
  title: { de: 'Fehlende Dateien', en: 'Missing files' },
  description: {
    de: 'Eine Liste von Namen mit dem Bestand vergleichen.',
    en: 'Compare a list of names with what is there.',
  },
})
