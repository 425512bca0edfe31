/** Words of export and import. */
import { defineWords, filled } from '../../../language/words.ts'

export const words = defineWords({
  export: { de: 'Exportieren', en: 'Export' },
  exportHint: {
    de: 'Alle Einstellungen als Datei, etwa für einen zweiten Server.',
    en: 'All settings as a file, for a second server for instance.',
  },
  secrets: { de: 'Mit der geheimen Webhook-Adresse', en: 'With the secret webhook address' },
  secretsWarning: {
    de: 'Wer die Datei hat, kann in den Chat schreiben. Bitte sicher aufbewahren.',
    en: 'Whoever has the file can write to the chat. Please keep it safe.',
  },
  download: { de: 'Datei herunterladen', en: 'Download the file' },
  import: { de: 'Importieren', en: 'Import' },
  importHint: {
    de: 'Zeigt zuerst, was sich ändern würde. Leere Werte überschreiben nichts.',
    en: 'Shows first what would change. Empty values overwrite nothing.',
  },
  choose: { de: 'Datei wählen', en: 'Choose a file' },
  unreadable: {
    de: (name: string) => `${name} ist keine Datei mit Einstellungen: Erwartet wird der Export von hier.`,
    en: (name: string) => `${name} is no file with settings: an export from here is expected.`,
  },
  previewTitle: filled({ de: '# übernehmen?', en: 'Take over #?' }),
  willChange: { de: 'Das ändert sich:', en: 'This changes:' },
  nothing: {
    de: 'Es ändert sich nichts: Alles gilt schon so.',
    en: 'Nothing changes: all of it is in force already.',
  },
  wrong: { de: 'Damit geht es nicht:', en: 'This is in the way:' },
  unknown: filled({ de: 'Unbekannt, bleibt außer Acht: #', en: 'Unknown, left aside: #' }),
  apply: { de: 'Übernehmen', en: 'Take over' },
  applied: {
    de: (count: number) =>
      count === 0
        ? 'Nichts geändert.'
        : count === 1
          ? 'Eine Einstellung übernommen.'
          : `${count} Einstellungen übernommen.`,
    en: (count: number) =>
      count === 0
        ? 'Nothing changed.'
        : count === 1
          ? 'One setting taken over.'
          : `${count} settings taken over.`,
  },
  close: { de: 'Schließen', en: 'Close' },
})
