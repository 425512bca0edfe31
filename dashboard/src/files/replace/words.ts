/** UI texts of search and replace. */
import { defineWords, filled, plural } from '../../language/words.ts'

export const words = defineWords({
  description: {
    de: 'Benennt viele Dateien auf einmal um. Gesucht wird im ganzen Pfad, Ordner eingeschlossen.',
    en: 'Renames many files at once. The whole path is searched, folders included.',
  },
  search: { de: 'Suchen', en: 'Search for' },
  searchHint: { de: 'Groß- und Kleinschreibung zählt.', en: 'Case matters.' },
  by: { de: 'Ersetzen durch', en: 'Replace with' },
  byHint: { de: 'Leer: Das Gefundene fällt weg.', en: 'Empty: what is found is removed.' },
  byHintExpression: {
    de: '$1, $2 … stehen für die Klammern, $& für alles Gefundene.',
    en: '$1, $2 … stand for the groups, $& for the whole match.',
  },
  expression: { de: 'Regulärer Ausdruck', en: 'Regular expression' },
  where: { de: 'Wo', en: 'Where' },
  inFolder: filled({ de: 'Nur in #', en: 'Only in #' }),
  inSelection: plural({
    de: ['Nur in der ausgewählten Datei', 'Nur in den # ausgewählten Dateien'],
    en: ['Only in the selected file', 'Only in the # selected files'],
  }),
  becomes: { de: 'wird zu', en: 'becomes' },
  begin: {
    de: 'Die Vorschau erscheint beim Tippen. Bis zum Umbenennen ändert sich nichts.',
    en: 'The preview appears as you type. Nothing changes until you rename.',
  },
  nothing: { de: 'Kein Pfad enthält das', en: 'No path contains this' },
  nothingHint: {
    de: 'Groß- und Kleinschreibung zählt; gesucht wird im ganzen Pfad.',
    en: 'Case matters; the whole path is searched.',
  },
  hits: plural({ de: ['Ein Treffer', '# Treffer'], en: ['One match', '# matches'] }),
  conflicts: plural({ de: ['Ein Konflikt', '# Konflikte'], en: ['One conflict', '# conflicts'] }),
  conflictHint: {
    de: 'Solange es Konflikte gibt, wird nichts umbenannt.',
    en: 'As long as there are conflicts, nothing is renamed.',
  },
  onlyConflicts: { de: 'Nur Konflikte zeigen', en: 'Show conflicts only' },
  addresses: {
    de: (count: number, times: number, timesText: string) =>
      `${count === 1 ? 'Die Adresse ändert sich. Sie wurde' : 'Die Adressen ändern sich. Sie wurden'} bisher ${times === 0 ? 'nie' : times === 1 ? 'einmal' : `${timesText}-mal`} abgerufen.`,
    en: (count: number, times: number, timesText: string) =>
      `${count === 1 ? 'The address changes. It has' : 'The addresses change. They have'} ${times === 0 ? 'never been viewed' : `been viewed ${times === 1 ? 'once' : `${timesText} times`}`} so far.`,
  },
  execute: plural({
    de: ['Eine Datei umbenennen', '# Dateien umbenennen'],
    en: ['Rename one file', 'Rename # files'],
  }),
  done: plural({
    de: ['Eine Datei umbenannt.', '# Dateien umbenannt.'],
    en: ['One file renamed.', '# files renamed.'],
  }),
})
