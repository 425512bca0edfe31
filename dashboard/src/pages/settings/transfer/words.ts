/** UI texts of export and import. */
import { defineWords, filled, plural } from '../../../language/words.ts'

export const words = defineWords({
  export: { de: 'Exportieren', en: 'Export' },
  exportHint: {
    de: 'Alle Einstellungen als Datei, etwa für einen zweiten Server.',
    en: 'All settings as a file, for example for a second server.',
  },
  secrets: {
    de: 'Mit Geheimnissen (Webhook, Bucket, Passwort)',
    en: 'With secrets (webhook, bucket, password)',
  },
  secretsWarning: {
    de: 'Wer die Datei hat, kann in den Chat schreiben und die Sicherung im Bucket lesen und löschen. Bitte sicher aufbewahren.',
    en: 'Anyone with this file can post to the chat, and can read and delete the backup in the bucket. Keep it safe.',
  },
  download: { de: 'Datei herunterladen', en: 'Download the file' },
  import: { de: 'Importieren', en: 'Import' },
  importHint: {
    de: 'Zeigt zuerst, was sich ändern würde. Leere Werte überschreiben nichts.',
    en: 'Shows first what would change. Empty values overwrite nothing.',
  },
  choose: { de: 'Datei wählen', en: 'Choose a file' },
  unreadable: filled({
    de: '# ist keine Datei mit Einstellungen: Erwartet wird der Export von hier.',
    en: '# is not a settings file: an export from here is expected.',
  }),
  previewTitle: filled({ de: '# übernehmen?', en: 'Apply #?' }),
  willChange: { de: 'Das ändert sich:', en: 'This changes:' },
  nothing: {
    de: 'Es ändert sich nichts: Alles gilt schon so.',
    en: 'Nothing changes: all of this already applies.',
  },
  wrong: { de: 'Diese Werte gehen nicht:', en: 'These values are not accepted:' },
  unknown: filled({ de: 'Unbekannt, bleibt außer Acht: #', en: 'Unknown, ignored: #' }),
  apply: { de: 'Übernehmen', en: 'Apply' },
  applied: plural({
    de: ['Eine Einstellung übernommen.', '# Einstellungen übernommen.'],
    en: ['One setting applied.', '# settings applied.'],
  }),
  appliedNone: { de: 'Nichts geändert.', en: 'Nothing changed.' },
})
