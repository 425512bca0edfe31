/** UI texts that several pages share. */
import { defineWords, filled, plural } from '../language/words.ts'

export const words = defineWords({
  copy: { de: 'Kopieren', en: 'Copy' },
  copied: { de: 'Kopiert', en: 'Copied' },
  retry: { de: 'Erneut versuchen', en: 'Try again' },
  undo: { de: 'Rückgängig', en: 'Undo' },
  more: filled({ de: '# weitere wurden ebenso abgelehnt.', en: '# more were refused as well.' }),
  undoing: { de: 'Wird rückgängig gemacht', en: 'Undoing' },
  undone: { de: 'Rückgängig gemacht.', en: 'Undone.' },
  loading: { de: 'Wird geladen …', en: 'Loading …' },
  unreachable: {
    de: 'Der Dienst ist gerade nicht erreichbar. Bitte erneut versuchen.',
    en: 'The service cannot be reached at the moment. Please try again.',
  },
  unexpected: {
    de: 'Hier ist etwas Unerwartetes geschehen. Bitte die Seite neu laden.',
    en: 'Something unexpected happened here. Please reload the page.',
  },
  pageFailed: {
    de: 'Diese Seite ließ sich nicht laden. Nach einer Aktualisierung hilft Neuladen.',
    en: 'This page could not be loaded. After an update, reloading helps.',
  },
  copyFailed: {
    de: 'Der Browser erlaubt das Kopieren hier nicht; bitte von Hand kopieren:',
    en: 'The browser does not allow copying here; please copy by hand:',
  },
  remaining: filled({ de: 'noch #', en: '# left' }),
  page: filled({ de: '#–# von #', en: '#–# of #' }),
  previousPage: { de: 'Vorige Seite', en: 'Previous page' },
  pageNumber: filled({ de: 'Seite #', en: 'Page #' }),
  jump: filled({ de: 'Zu Seite 1 bis #', en: 'Go to page 1 to #' }),
  nextPage: { de: 'Nächste Seite', en: 'Next page' },
  perPage: { de: 'Einträge je Seite', en: 'Entries per page' },
  manyPerPage: filled({ de: '# je Seite', en: '# a page' }),
  unitOf: filled({ de: 'Einheit: #', en: 'Unit: #' }),
  equalTo: filled({ de: 'gleicher Inhalt wie #', en: 'same content as #' }),
  byRetention: filled({ de: 'Frist für „#“', en: 'retention rule for “#”' }),
  notScaled: {
    de: 'unverändert gespeichert: das Bild lässt sich nicht verkleinern',
    en: 'stored as sent: the picture cannot be scaled down',
  },
  swapped: { de: 'die Datei davor liegt jetzt im Papierkorb', en: 'the file before is in the trash now' },
  earlierVersion: { de: 'eine frühere Fassung', en: 'an earlier version' },
  retrieved: plural({ de: ['# Abruf', '# Abrufe'], en: ['# view', '# views'] }),
  folderFigures: plural({ de: ['1 Datei · #', '# Dateien · #'], en: ['1 file · #', '# files · #'] }),
  allOf: filled({ de: 'Alle zeigen: #', en: 'Show all: #' }),
  sourceSaved: { de: 'gespeichert', en: 'saved' },
  sourceEnvironment: { de: 'aus der Umgebung', en: 'from the environment' },
  sourceDefault: { de: 'Vorgabe', en: 'default' },
})

/** UI texts of the charts with one figure per day. */
export const chartWords = defineWords({
  perDay: { de: 'Abrufe pro Tag', en: 'Views per day' },
  none: filled({ de: 'Keine Abrufe in # Tagen', en: 'No views in # days' }),
  sum: filled({ de: '# in # Tagen', en: '# in # days' }),
  table: { de: 'Als Tabelle', en: 'As a table' },
  day: { de: 'Tag', en: 'Day' },
  today: { de: 'heute', en: 'today' },
})

export const accountWords = defineWords({
  password: { de: 'Passwort', en: 'Password' },
  showPassword: { de: 'Passwort zeigen', en: 'Show the password' },
  passwordRule: filled({ de: 'Mindestens # Zeichen.', en: 'At least # characters.' }),
  missing: { de: 'Bitte ausfüllen.', en: 'Please fill in.' },
})

export const roleWords = defineWords({
  betreiber: { de: 'Betreiber', en: 'Operator' },
  redaktion: { de: 'Redaktion', en: 'Editor' },
  ansicht: { de: 'Ansicht', en: 'Viewer' },
})

/** Explanations of what each role may do. */
export const roleHints = defineWords({
  betreiber: {
    de: 'Alles, auch Einstellungen, Tokens, Konten und Sicherung.',
    en: 'Everything, including settings, tokens, accounts and backup.',
  },
  redaktion: {
    de: 'Dateien hochladen, ändern und löschen, Papierkorb und Freigaben.',
    en: 'Upload, change and delete files, trash and shares.',
  },
  ansicht: {
    de: 'Dateien ansehen, suchen und herunterladen.',
    en: 'Look at files, search and download.',
  },
})

/** The five kinds of file, in the singular. The share page has its own texts. */
export const kindWords = defineWords({
  bilder: { de: 'Bild', en: 'Picture' },
  video: { de: 'Video', en: 'Video' },
  audio: { de: 'Audio', en: 'Audio' },
  dokumente: { de: 'Dokument', en: 'Document' },
  sonstige: { de: 'Datei', en: 'File' },
})

/** The five kinds of file, in the plural. */
export const pluralKindWords = defineWords({
  bilder: { de: 'Bilder', en: 'Pictures' },
  video: { de: 'Videos', en: 'Videos' },
  audio: { de: 'Audio', en: 'Audio' },
  dokumente: { de: 'Dokumente', en: 'Documents' },
  sonstige: { de: 'Andere', en: 'Other' },
})

/** Why and by whom a file was moved to the trash; the time is shown after this text. */
export const removalWords = defineWords({
  geloescht: filled({ de: 'gelöscht von #', en: 'deleted by #' }),
  ueberschrieben: filled({ de: 'ersetzt von #', en: 'replaced by #' }),
  frist: filled({ de: 'Frist abgelaufen, entfernt von #', en: 'retention period over, removed by #' }),
})

/** Names of the events in the history of a file. */
export const historyEventWords = defineWords({
  hochgeladen: { de: 'Hochgeladen', en: 'Uploaded' },
  ueberschrieben: { de: 'Überschrieben', en: 'Overwritten' },
  umbenannt: { de: 'Umbenannt', en: 'Renamed' },
  verschoben: { de: 'Verschoben', en: 'Moved' },
  geloescht: { de: 'In den Papierkorb gelegt', en: 'Moved to the trash' },
  wiederhergestellt: { de: 'Wiederhergestellt', en: 'Restored' },
  entfernt: { de: 'Endgültig entfernt', en: 'Deleted for good' },
})
