/** Words of the files page. */
import { defineWords, filled, plural } from '../language/words.ts'

const files = (count: number, text: string) => (count === 1 ? 'eine Datei' : `${text} Dateien`)
const filesEn = (count: number, text: string) => (count === 1 ? 'one file' : `${text} files`)

export const words = defineWords({
  title: { de: 'Dateien', en: 'Files' },
  results: filled({ de: 'Treffer für „#“', en: 'Results for “#”' }),
  missing: { de: 'Fehlende Dateien', en: 'Missing files' },
  crumbs: { de: 'Ort', en: 'Location' },
  showFolders: { de: 'Ordner zeigen', en: 'Show folders' },
  folderMenu: { de: 'Mehr zu diesem Ordner', en: 'More about this folder' },
  moreFolders: filled({ de: '# weitere Ordner zeigen', en: 'Show # more folders' }),
  treeWidth: { de: 'Breite der Ordnerliste', en: 'Width of the folder list' },
  folderFigures: {
    de: (count: number, text: string, size: string) =>
      `${count === 1 ? '1 Datei' : `${text} Dateien`} · ${size}`,
    en: (count: number, text: string, size: string) =>
      `${count === 1 ? '1 file' : `${text} files`} · ${size}`,
  },
  view: { de: 'Ansicht', en: 'View' },
  viewGrid: { de: 'Kacheln', en: 'Grid' },
  viewList: { de: 'Liste', en: 'List' },
  sort: { de: 'Sortierung', en: 'Sort by' },
  ascending: { de: 'Aufsteigend', en: 'Ascending' },
  descending: { de: 'Absteigend', en: 'Descending' },
  kindAll: { de: 'Alle Arten', en: 'All kinds' },
  tokenAll: { de: 'Alle Tokens', en: 'All tokens' },
  tile: { de: 'Größe der Vorschauen', en: 'Size of the previews' },
  perPage: { de: 'Dateien je Seite', en: 'Files per page' },
  below: { de: 'Unterordner', en: 'Subfolders' },
  where: { de: 'Wo gesucht wird', en: 'Where to search' },
  inFolder: filled({ de: 'In „#“', en: 'In “#”' }),
  waiting: plural({
    de: ['Eine neue Datei einordnen', '# neue Dateien einordnen'],
    en: ['Show one new file', 'Show # new files'],
  }),
  select: filled({ de: '# auswählen', en: 'Select #' }),
  name: { de: 'Name', en: 'Name' },
  updated_at: { de: 'Geändert', en: 'Modified' },
  abrufe: { de: 'Abrufe', en: 'Views' },
  zuletzt_abgerufen: { de: 'Zuletzt abgerufen', en: 'Last viewed' },
})

export const emptyWords = defineWords({
  first: { de: 'Noch keine Dateien', en: 'No files yet' },
  firstHint: {
    de: 'Dateien einfach hierher ziehen oder mit „Hochladen“ auswählen. Mit einem Token laden auch Spielserver, Bots und ShareX hoch.',
    en: 'Drag files here, or choose them with “Upload”. With a token, game servers, bots and ShareX upload too.',
  },
  firstToken: { de: 'Token anlegen', en: 'Create a token' },
  empty: { de: 'Dieser Ordner ist leer', en: 'This folder is empty' },
  emptyHint: {
    de: 'Dateien hierher ziehen oder hochladen: Der Ordner entsteht mit seiner ersten Datei.',
    en: 'Drag files here or upload them: the folder exists from its first file on.',
  },
  up: { de: 'Eine Ebene höher', en: 'One level up' },
  noResult: { de: 'Nichts gefunden', en: 'Nothing found' },
  noResultHint: {
    de: 'Gesucht wird in Namen und Pfaden, nach mehreren Wörtern in beliebiger Reihenfolge. * steht für beliebige Zeichen, ? für eines.',
    en: 'Names and paths are searched, for several words in any order. * stands for any characters, ? for one.',
  },
  filtered: { de: 'Nichts passt zu den Filtern', en: 'Nothing matches the filters' },
  filteredHint: {
    de: 'In diesem Ordner liegt nichts von dieser Art oder von diesem Token.',
    en: 'This folder has nothing of this kind or from this token.',
  },
  clearFilters: { de: 'Filter aufheben', en: 'Clear the filters' },
  clearSearch: { de: 'Suche beenden', en: 'End the search' },
  everywhere: { de: 'Überall suchen', en: 'Search everywhere' },
  tooFar: { de: 'So viele Seiten gibt es nicht', en: 'There are not that many pages' },
  toStart: { de: 'Zur ersten Seite', en: 'Go to the first page' },
})

export const actionWords = defineWords({
  open: { de: 'Öffnen', en: 'Open' },
  details: { de: 'Einzelheiten', en: 'Details' },
  openAddress: { de: 'In neuem Fenster öffnen', en: 'Open in a new window' },
  copyAddresses: { de: 'Adressen kopieren', en: 'Copy addresses' },
  copyAs: { de: 'Kopieren als …', en: 'Copy as …' },
  exportList: { de: 'Liste exportieren', en: 'Export a list' },
  json: { de: 'JSON', en: 'JSON' },
  csv: { de: 'CSV (Tabelle)', en: 'CSV (spreadsheet)' },
  tooMany: filled({
    de: 'Auf einmal gehen höchstens # Dateien; bitte weniger auswählen.',
    en: 'At most # files can be taken at once; please select fewer.',
  }),
  share: { de: 'Freigeben', en: 'Share' },
  newFolder: { de: 'Neuer Ordner', en: 'New folder' },
  newFolderName: { de: 'Name', en: 'Name' },
  newFolderIn: filled({ de: 'In „#“', en: 'In “#”' }),
  newFolderMake: { de: 'Weiter', en: 'Continue' },
  newFolderHint: {
    de: 'Der Ordner entsteht mit seiner ersten Datei; sie lässt sich gleich hochladen.',
    en: 'The folder exists from its first file on, which can be uploaded right away.',
  },
  newFolderRule: {
    de: 'Erlaubt sind Buchstaben ohne Umlaute, Ziffern, Punkt, Unterstrich und Bindestrich, keine Leerzeichen.',
    en: 'Letters without marks, digits, dots, underscores and hyphens are allowed; no blanks.',
  },
  deleting: { de: 'Dateien werden gelöscht', en: 'Deleting files' },
  moving: { de: 'Dateien werden verschoben', en: 'Moving files' },
  andMore: filled({ de: 'und # weitere', en: 'and # more' }),
  chooseAll: filled({ de: 'Alle # auswählen', en: 'Select all #' }),
  downloadZip: { de: 'Als ZIP herunterladen', en: 'Download as ZIP' },
  copied: plural({
    de: ['Adresse kopiert.', '# Adressen kopiert.'],
    en: ['Address copied.', '# addresses copied.'],
  }),
  copyFailed: {
    de: 'Der Browser erlaubt das Kopieren hier nicht.',
    en: 'The browser does not allow copying here.',
  },
  text: { de: 'Nur Adresse', en: 'Plain address' },
  markdown: { de: 'Markdown', en: 'Markdown' },
  html: { de: 'HTML', en: 'HTML' },
  bbcode: { de: 'BBCode', en: 'BBCode' },
  lua: { de: 'Lua-Tabelle', en: 'Lua table' },
  moreOf: filled({ de: 'Mehr zu #', en: 'More about #' }),
  renameTitle: filled({ de: '„#“ umbenennen', en: 'Rename “#”' }),
  newName: { de: 'Neuer Name', en: 'New name' },
  move: { de: 'Verschieben', en: 'Move' },
  moveOne: filled({ de: '„#“ verschieben', en: 'Move “#”' }),
  moveMany: filled({ de: '# Dateien verschieben', en: 'Move # files' }),
  moveTo: { de: 'Zielordner', en: 'Target folder' },
  moveToHint: {
    de: 'Im Baum wählen oder hier eintippen; einen neuen Ordner legt das Verschieben an.',
    en: 'Choose in the tree or type here; moving creates a new folder where needed.',
  },
  moveHere: { de: 'Hierher verschieben', en: 'Move here' },
  moveRefused: { de: 'Nicht verschoben:', en: 'Not moved:' },
  replace: { de: 'Suchen und Ersetzen', en: 'Search and replace' },
  uploadHere: { de: 'Hierher hochladen', en: 'Upload here' },
  remove: { de: 'Löschen', en: 'Delete' },
  deleted: filled({ de: '„#“ liegt im Papierkorb.', en: '“#” is in the trash.' }),
  deletedMany: filled({ de: '# Dateien liegen im Papierkorb.', en: '# files are in the trash.' }),
  folderDeleted: {
    de: (name: string, count: number, text: string) =>
      `Ordner „${name}“ mit ${count === 1 ? 'einer Datei' : `${text} Dateien`} liegt im Papierkorb.`,
    en: (name: string, count: number, text: string) =>
      `Folder “${name}” with ${filesEn(count, text)} is in the trash.`,
  },
  renamed: filled({ de: '„#“ heißt jetzt „#“.', en: '“#” is now “#”.' }),
  moved: filled({ de: '„#“ liegt jetzt in „#“.', en: '“#” is now in “#”.' }),
  movedMany: filled({ de: '# Dateien liegen jetzt in „#“.', en: '# files are now in “#”.' }),
  chosen: plural({ de: ['1 ausgewählt', '# ausgewählt'], en: ['1 selected', '# selected'] }),
  elsewhere: filled({ de: 'davon # auf anderen Seiten', en: '# of them on other pages' }),
  clear: { de: 'Auswahl aufheben', en: 'Clear the selection' },
  selection: { de: 'Auswahl', en: 'Selection' },
  dragged: {
    de: (count: number, text: string) => files(count, text).replace(/^e/, 'E'),
    en: (count: number, text: string) => filesEn(count, text).replace(/^o/, 'O'),
  },
  keyMove: { de: 'Durch die Dateien gehen', en: 'Move through the files' },
  keyExtend: { de: 'Auswahl erweitern', en: 'Extend the selection' },
  keyPreview: { de: 'Vorschau zeigen', en: 'Show a preview' },
  keyOpen: { de: 'Einzelheiten öffnen', en: 'Open the details' },
  keySelect: { de: 'Datei auswählen', en: 'Select the file' },
  keyAll: { de: 'Alle auswählen', en: 'Select all' },
  keyClear: { de: 'Auswahl aufheben, Einzelheiten schließen', en: 'Clear the selection, close the details' },
})

/** `start`: „Sie wurde“ after a sentence that names the address, else „Die Adresse wurde“. */
export const retrievalWords = defineWords({
  it: {
    de: (count: number): string => (count === 1 ? 'Sie wurde' : 'Sie wurden'),
    en: (count: number) => (count === 1 ? 'It has' : 'They have'),
  },
  address: {
    de: (count: number): string => (count === 1 ? 'Die Adresse wurde' : 'Die Adressen wurden'),
    en: (count: number) => (count === 1 ? 'The address has' : 'The addresses have'),
  },
  changes: plural({
    de: ['Die Adresse ändert sich.', 'Die Adressen von # Dateien ändern sich.'],
    en: ['The address changes.', 'The addresses of # files change.'],
  }),
  changed: plural({
    de: ['Die Adresse hat sich geändert.', '# Adressen haben sich geändert.'],
    en: ['The address has changed.', '# addresses have changed.'],
  }),
  never: filled({ de: '# noch nie abgerufen.', en: '# never been viewed.' }),
  times: {
    de: (start: string, times: number, text: string) =>
      `${start} bisher ${times === 1 ? 'einmal' : `${text}-mal`} abgerufen.`,
    en: (start: string, times: number, text: string) =>
      `${start} been viewed ${times === 1 ? 'once' : `${text} times`} so far.`,
  },
  atLeast: {
    de: (start: string, _times: number, text: string) => `${start} bisher mehr als ${text}-mal abgerufen.`,
    en: (start: string, _times: number, text: string) =>
      `${start} been viewed more than ${text} times so far.`,
  },
})

export const drawerWords = defineWords({
  title: { de: 'Einzelheiten', en: 'Details' },
  enlarge: { de: 'Groß ansehen', en: 'Enlarge' },
  type: { de: 'Typ', en: 'Type' },
  length: { de: 'Länge', en: 'Length' },
  changed: { de: 'Geändert', en: 'Modified' },
  taken: { de: 'Aufgenommen', en: 'Taken' },
  camera: { de: 'Kamera', en: 'Camera' },
  place: { de: 'Aufnahmeort', en: 'Place' },
  lastRetrieved: { de: 'Zuletzt abgerufen', en: 'Last viewed' },
  noToken: { de: 'keines, im Dashboard hochgeladen', en: 'none, uploaded in the dashboard' },
  tokenGone: { de: 'widerrufen', en: 'revoked' },
  history: { de: 'Verlauf dieser Datei', en: 'History of this file' },
  historyEmpty: { de: 'Noch kein Eintrag.', en: 'No entries yet.' },
  historyMore: { de: 'Ganzer Verlauf', en: 'Full history' },
  hochgeladen: { de: 'Hochgeladen', en: 'Uploaded' },
  ueberschrieben: { de: 'Überschrieben', en: 'Overwritten' },
  umbenannt: { de: 'Umbenannt', en: 'Renamed' },
  verschoben: { de: 'Verschoben', en: 'Moved' },
  geloescht: { de: 'Gelöscht', en: 'Deleted' },
  wiederhergestellt: { de: 'Wiederhergestellt', en: 'Restored' },
  entfernt: { de: 'Endgültig entfernt', en: 'Deleted for good' },
  cannotPlay: {
    de: 'Der Browser kann diese Datei nicht abspielen.',
    en: 'The browser cannot play this file.',
  },
})
