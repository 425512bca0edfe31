import { defineWords } from '../../language/words.ts'

export const words = defineWords({
  title: { de: 'Papierkorb', en: 'Trash' },
  description: {
    de: 'Gelöschtes bleibt hier 30 Tage und kann zurückgeholt werden.',
    en: 'What was deleted stays here for 30 days and can be brought back.',
  },
  path: { de: 'Pfad', en: 'Path' },
  size: { de: 'Größe', en: 'Size' },
  deleted: { de: 'Gelöscht', en: 'Deleted' },
  expires: { de: 'Verfällt', en: 'Expires' },
  empty: { de: 'Der Papierkorb ist leer', en: 'The trash is empty' },
  emptyHint: {
    de: 'Was gelöscht wird, liegt zuerst hier und kann zurückgeholt werden.',
    en: 'What is deleted first lies here and can be brought back.',
  },
})
