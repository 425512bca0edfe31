import { defineWords } from '../../language/words.ts'

export const words = defineWords({
  title: { de: 'Einstellungen', en: 'Settings' },
  description: {
    de: 'Adressen, Grenzen, Nachrichten und Sicherung.',
    en: 'Addresses, limits, messages and backup.',
  },
  set: { de: 'gesetzt', en: 'set' },
  unset: { de: 'nicht gesetzt', en: 'not set' },
})
