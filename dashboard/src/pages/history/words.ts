import { defineWords } from '../../language/words.ts'

export const words = defineWords({
  title: { de: 'Verlauf', en: 'History' },
  description: {
    de: 'Was mit Dateien geschah, und wer es war.',
    en: 'What happened to files, and who did it.',
  },
  time: { de: 'Zeit', en: 'Time' },
  what: { de: 'Was', en: 'What' },
  path: { de: 'Pfad', en: 'Path' },
  who: { de: 'Wer', en: 'Who' },
  size: { de: 'Größe', en: 'Size' },
  empty: { de: 'Noch ist nichts geschehen', en: 'Nothing has happened yet' },
  emptyHint: {
    de: 'Jeder Upload, jede Umbenennung und jedes Löschen steht später hier.',
    en: 'Every upload, renaming and deletion will stand here.',
  },
})
