import { defineWords } from '../../language/words.ts'

export const words = defineWords({
  title: { de: 'Dateien', en: 'Files' },
  top: { de: 'Alle Dateien', en: 'All files' },
  results: { de: (text: string) => `Treffer für „${text}“`, en: (text: string) => `Results for “${text}”` },
  missing: { de: 'Fehlende Dateien', en: 'Missing files' },
  crumbs: { de: 'Wo man ist', en: 'Where one is' },
  folders: { de: 'Ordner', en: 'Folders' },
  folderFigures: {
    de: (files: string, size: string) => `${files} Dateien · ${size}`,
    en: (files: string, size: string) => `${files} files · ${size}`,
  },
  empty: { de: 'Hier liegt noch nichts', en: 'Nothing here yet' },
  emptyHint: {
    de: 'Mit „Hochladen“ kommen Dateien herein; mit einem Token laden auch Programme hoch.',
    en: 'Files come in with “Upload”; with a token, programs upload too.',
  },
  noResult: { de: 'Nichts gefunden', en: 'Nothing found' },
  noResultHint: {
    de: 'Gesucht wird in Namen und Pfaden, gleich in welcher Schreibung.',
    en: 'Names and paths are searched, whatever the case.',
  },
})
