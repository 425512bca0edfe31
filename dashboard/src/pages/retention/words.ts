/** UI texts of the retention rules. */
import { defineWords, filled, plural } from '../../language/words.ts'

export const words = defineWords({
  description: {
    de: 'Nach wie vielen Tagen Dateien eines Ordners in den Papierkorb gehen.',
    en: 'After how many days the files of a folder go to the trash.',
  },
  howItWorks: filled({
    de: 'Für eine Datei gilt die Frist des nächsten Ordners über ihr. Überschreiben und Wiederherstellen lassen sie neu beginnen, Umbenennen nicht. Gespeicherte Fristen wirken beim nächsten Lauf: #.',
    en: 'A file follows the rule of the nearest folder above it. Overwriting and restoring a file start its period anew, renaming does not. Saved rules take effect at the next run: #.',
  }),
  empty: { de: 'Noch keine Fristen', en: 'No rules yet' },
  emptyHint: {
    de: 'Ohne Frist bleiben Dateien für immer. Mit einer Frist gehen sie nach einer Anzahl von Tagen in den Papierkorb und lassen sich von dort zurückholen.',
    en: 'Without a rule, files stay for ever. With one they go to the trash after a number of days, and can be restored from there.',
  },
  add: { de: 'Frist hinzufügen', en: 'Add a rule' },
  rules: { de: 'Fristen', en: 'Rules' },
  ruleOf: filled({ de: 'Frist für „#“', en: 'Rule for “#”' }),
  folderHint: { de: 'Leer: alle Dateien', en: 'Empty: all files' },
  days: { de: 'Tage', en: 'Days' },
  start: { de: 'Gezählt ab', en: 'Counted from' },
  hochgeladen: { de: 'Hochladen', en: 'Upload' },
  abgerufen: { de: 'letztem Abruf', en: 'Last view' },
  never: { de: 'Endet nie', en: 'Never ends' },
  remove: { de: 'Frist entfernen', en: 'Remove this rule' },
  folderInvalid: {
    de: 'Das ist kein gültiger Ordner.',
    en: 'This is not a valid folder.',
  },
  folderTwice: { de: 'Für diesen Ordner gibt es schon eine Frist.', en: 'This folder already has a rule.' },
  daysInvalid: filled({ de: 'Eine ganze Zahl von 1 bis #.', en: 'A whole number from 1 to #.' }),
  unsaved: { de: 'Noch nicht gespeichert', en: 'Not saved yet' },
  actsAt: filled({ de: 'Wirkt als Nächstes am #', en: 'Acts next on #' }),
  nothingThere: { de: 'Zurzeit keine Dateien', en: 'No files at the moment' },
  exempt: { de: 'Dateien hier bleiben', en: 'Files here stay' },
  try: { de: 'Probelauf', en: 'Trial run' },
  wouldGo: plural({
    de: ['Jetzt ginge 1 Datei in den Papierkorb, #', 'Jetzt gingen # Dateien in den Papierkorb, #'],
    en: ['1 file would go to the trash now, #', '# files would go to the trash now, #'],
  }),
  nothingGoes: { de: 'Jetzt ginge nichts.', en: 'Nothing would go now.' },
  examples: { de: 'Beispiele', en: 'Examples' },
  trial: { de: 'Ergebnis des Probelaufs', en: 'Result of the trial run' },
  overflow: filled({
    de: 'Der Papierkorb fasst #. Danach wäre er um # zu groß, und innerhalb einer Stunde würden seine ältesten Einträge endgültig entfernt.',
    en: 'The trash holds #. It would then be # too large, and within an hour its oldest entries would be removed for good.',
  }),
  run: { de: 'Jetzt ausführen', en: 'Run now' },
  saveFirst: { de: 'Ausgeführt wird nur, was gespeichert ist.', en: 'Only saved rules can be run.' },
  saved: { de: 'Die Fristen sind gespeichert.', en: 'The rules have been saved.' },
  moved: plural({
    de: ['1 Datei liegt jetzt im Papierkorb, #.', '# Dateien liegen jetzt im Papierkorb, #.'],
    en: ['1 file is in the trash now, #.', '# files are in the trash now, #.'],
  }),
  nothingMoved: { de: 'Es war nichts fällig.', en: 'Nothing was due.' },
  toHistory: { de: 'Im Verlauf ansehen und zurücknehmen', en: 'View and undo in the history' },
  leaveTitle: { de: 'Ohne Speichern verlassen?', en: 'Leave without saving?' },
  leaveHint: { de: 'Die geänderten Fristen gehen verloren.', en: 'The changed rules will be lost.' },
  leave: { de: 'Verwerfen', en: 'Discard' },
})
