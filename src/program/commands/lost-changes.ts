import type { Text } from '../../base/language.ts'

/** Printed by `check` and `doctor` as long as the note exists (`Database.lostChanges`). */
export const lostChangesText = (note: string): Text => [
  `Der Datenbank fehlen Änderungen, die schon gespeichert waren: Ihr Protokoll (fundus.db-wal) wurde nach einem Absturz entfernt, oder fundus.db ist eine ältere Kopie. fundus restore holt eine Sicherung zurück, fundus rebuild verzeichnet die vorhandenen Dateien neu. Wer damit weiterarbeiten will, löscht ${note}; dann endet diese Meldung.`,
  `The database lacks changes that had been stored: its log (fundus.db-wal) was removed after a crash, or fundus.db is an older copy. fundus restore brings a backup back, fundus rebuild records the files that are there anew. To continue with the database as it is, delete ${note}; then this message ends.`,
]
