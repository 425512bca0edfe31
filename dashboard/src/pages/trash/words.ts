/** UI texts of the trash. */
import { defineWords, filled } from '../../language/words.ts'

export const words = defineWords({
  description: filled({
    de: 'Gelöschtes und Ersetztes bleibt hier # Tage und kann zurückgeholt werden.',
    en: 'Deleted and replaced files stay here for # days and can be restored.',
  }),
  space: { de: 'Belegter Platz im Papierkorb', en: 'Space used by the trash' },
  spaceBytes: filled({ de: '# von # belegt', en: '# of # used' }),
  spaceOwn: filled({ de: '# belegt', en: '# used' }),
  spaceOwnFiles: filled({ de: '# belegt, #', en: '# used, #' }),
  spaceUsed: filled({ de: '# von # belegt, #', en: '# of # used, #' }),
  spaceNear: {
    de: 'Der Papierkorb ist bald voll. Dann wird das Älteste zuerst gelöscht, auch vor seiner Zeit.',
    en: 'The trash is nearly full. Once it is, the oldest files are deleted first, even before their time.',
  },
  list: { de: 'Dateien im Papierkorb', en: 'Files in the trash' },
  selectPage: { de: 'Seite auswählen', en: 'Select page' },
  selected: filled({ de: '# ausgewählt, #', en: '# selected, #' }),
  clearSelection: { de: 'Auswahl aufheben', en: 'Clear selection' },
  reason: { de: 'Grund', en: 'Reason' },
  anyReason: { de: 'Aus jedem Grund', en: 'Any reason' },
  noMatch: { de: 'Nichts aus diesem Grund', en: 'Nothing for this reason' },
  noMatchHint: {
    de: 'Im Papierkorb liegt gerade nichts, was aus diesem Grund dort wäre.',
    en: 'There is nothing in the trash for this reason right now.',
  },
  showAll: { de: 'Alles zeigen', en: 'Show everything' },
  exchange: { de: 'Austauschen', en: 'Exchange' },
  exchangeHint: {
    de: 'Die Datei, die jetzt dort liegt, kommt dafür in den Papierkorb.',
    en: 'The file that is there now goes to the trash in exchange.',
  },
  daysLeft: filled({ de: 'noch # Tage', en: '# days left' }),
  lastHours: { de: 'letzter Tag', en: 'last day' },
  expiresNow: { de: 'wird gleich gelöscht', en: 'about to be deleted' },
  expiresAt: filled({ de: 'Wird am # endgültig gelöscht', en: 'Deleted for good on #' }),
  restoreOne: filled({ de: '# wiederherstellen', en: 'Restore #' }),
  restored: filled({ de: '# wiederhergestellt.', en: '# restored.' }),
  someRefused: filled({
    de: '# nicht wiederhergestellt; der Grund steht jeweils daneben.',
    en: '# not restored; the reason is shown beside each.',
  }),
  remove: { de: 'Endgültig löschen', en: 'Delete for good' },
  removeTitle: filled({ de: '# endgültig löschen?', en: 'Delete # for good?' }),
  removeLoss: {
    de: (count: number, size: string) =>
      `${count === 1 ? 'Sie ist' : 'Sie sind'} dann nicht mehr zurückzuholen. Frei werden ${size}.`,
    en: (count: number, size: string) =>
      `${count === 1 ? 'It cannot' : 'They cannot'} be restored afterwards. This frees ${size}.`,
  },
  removed: filled({ de: '# gelöscht, # frei.', en: '# deleted, # freed.' }),
  emptyAll: { de: 'Papierkorb leeren', en: 'Empty trash' },
  emptyAllTitle: { de: 'Den ganzen Papierkorb leeren?', en: 'Empty the whole trash?' },
  emptyAllLoss: filled({
    de: '# mit #, auf allen Seiten dieser Liste, sind dann nicht mehr zurückzuholen.',
    en: '# of #, on all pages of this list, cannot be restored afterwards.',
  }),
  empty: { de: 'Der Papierkorb ist leer', en: 'The trash is empty' },
  emptyHint: {
    de: 'Was gelöscht oder ersetzt wird, liegt zuerst hier und kann zurückgeholt werden.',
    en: 'Deleted and replaced files come here first and can be restored.',
  },
})

/** The reasons for which a file is in the trash. */
export const reasonWords = defineWords({
  geloescht: { de: 'Gelöscht', en: 'Deleted' },
  ueberschrieben: { de: 'Ersetzt', en: 'Replaced' },
  frist: { de: 'Frist abgelaufen', en: 'Retention period over' },
})
