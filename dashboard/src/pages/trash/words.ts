/** Words of the trash. */
import { defineWords, filled } from '../../language/words.ts'

const files = (count: number, said: string) => (count === 1 ? '1 Datei' : `${said} Dateien`)
const filesInEnglish = (count: number, said: string) => (count === 1 ? '1 file' : `${said} files`)

export const words = defineWords({
  title: { de: 'Papierkorb', en: 'Trash' },
  description: filled({
    de: 'Gelöschtes bleibt hier # Tage und kann zurückgeholt werden.',
    en: 'What was deleted stays here for # days and can be restored.',
  }),
  space: { de: 'Belegter Platz im Papierkorb', en: 'Space used by the trash' },
  spaceUsed: {
    de: (used: string, bound: string, count: number, said: string) =>
      `${used} von ${bound} belegt, ${files(count, said)}`,
    en: (used: string, bound: string, count: number, said: string) =>
      `${used} of ${bound} used, ${filesInEnglish(count, said)}`,
  },
  spaceNear: {
    de: 'Der Papierkorb ist bald voll. Dann wird das Älteste zuerst gelöscht, auch vor seiner Zeit.',
    en: 'The trash is nearly full. Once it is, the oldest files are deleted first, even before their time.',
  },
  list: { de: 'Dateien im Papierkorb', en: 'Files in the trash' },
  select: filled({ de: '# auswählen', en: 'Select #' }),
  selectPage: { de: 'Seite auswählen', en: 'Select page' },
  selected: filled({ de: '# ausgewählt, #', en: '# selected, #' }),
  selectionBar: { de: 'Auswahl', en: 'Selection' },
  clearSelection: { de: 'Auswahl aufheben', en: 'Clear selection' },
  deletedBy: filled({ de: 'gelöscht von #', en: 'deleted by #' }),
  daysLeft: {
    de: (days: number) => (days === 1 ? 'noch 1 Tag' : `noch ${days} Tage`),
    en: (days: number) => (days === 1 ? '1 day left' : `${days} days left`),
  },
  lastHours: { de: 'letzter Tag', en: 'last day' },
  due: { de: 'wird gleich gelöscht', en: 'about to be deleted' },
  expiresAt: filled({ de: 'Wird am # endgültig gelöscht', en: 'Deleted for good on #' }),
  restoreOne: filled({ de: '# wiederherstellen', en: 'Restore #' }),
  restored: {
    de: (count: number, said: string) => `${files(count, said)} wiederhergestellt.`,
    en: (count: number, said: string) => `${filesInEnglish(count, said)} restored.`,
  },
  someRefused: {
    de: (count: number, said: string) =>
      `${files(count, said)} nicht wiederhergestellt; der Grund steht jeweils daneben.`,
    en: (count: number, said: string) =>
      `${filesInEnglish(count, said)} not restored; the reason is shown beside each.`,
  },
  remove: { de: 'Endgültig löschen', en: 'Delete for good' },
  removeTitle: {
    de: (count: number, said: string) => `${files(count, said)} endgültig löschen?`,
    en: (count: number, said: string) => `Delete ${filesInEnglish(count, said)} for good?`,
  },
  removeLoss: {
    de: (count: number, size: string) =>
      `${count === 1 ? 'Sie ist' : 'Sie sind'} dann nicht mehr zurückzuholen. Frei werden ${size}.`,
    en: (count: number, size: string) =>
      `${count === 1 ? 'It cannot' : 'They cannot'} be restored afterwards. This frees ${size}.`,
  },
  removed: {
    de: (count: number, said: string, size: string) => `${files(count, said)} gelöscht, ${size} frei.`,
    en: (count: number, said: string, size: string) =>
      `${filesInEnglish(count, said)} deleted, ${size} freed.`,
  },
  emptyAll: { de: 'Papierkorb leeren', en: 'Empty trash' },
  emptyAllTitle: { de: 'Den ganzen Papierkorb leeren?', en: 'Empty the whole trash?' },
  emptyAllLoss: {
    de: (count: number, said: string, size: string) =>
      `${files(count, said)} mit ${size}, auf allen Seiten dieser Liste, sind dann nicht mehr zurückzuholen.`,
    en: (count: number, said: string, size: string) =>
      `${filesInEnglish(count, said)} of ${size}, on all pages of this list, cannot be restored afterwards.`,
  },
  empty: { de: 'Der Papierkorb ist leer', en: 'The trash is empty' },
  emptyHint: {
    de: 'Was gelöscht wird, liegt zuerst hier und kann zurückgeholt werden.',
    en: 'Deleted files come here first and can be restored.',
  },
})
