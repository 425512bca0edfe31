/** Words of the backup. */
import { defineWords } from '../../../language/words.ts'

export const backupWords = defineWords({
  title: { de: 'Sicherung', en: 'Backup' },
  description: {
    de: 'Schreibt ein Archiv mit allem: Dateien, Papierkorb, Konten, Tokens, Einstellungen und Verlauf.',
    en: 'Writes an archive of everything: files, trash, accounts, tokens, settings and history.',
  },
  upkeep: { de: 'Wartung', en: 'Maintenance' },
  run: { de: 'Jetzt sichern', en: 'Back up now' },
  running: { de: 'Wird gesichert …', en: 'Backing up …' },
  details: { de: 'Archive und Wiederherstellung', en: 'Archives and restore' },

  schreiben: { de: 'Das Archiv wird geschrieben', en: 'Writing the archive' },
  pruefen: { de: 'Das Archiv wird zurückgelesen und geprüft', en: 'Reading the archive back' },
  zweitziel: { de: 'Wird ans Zweitziel kopiert und verglichen', en: 'Copying to the second target' },

  none: { de: 'Es gibt noch keine Sicherung.', en: 'There is no backup yet.' },
  succeeded: { de: 'Die letzte Sicherung ist gelungen.', en: 'The last backup succeeded.' },
  failed: { de: 'Die letzte Sicherung ist fehlgeschlagen.', en: 'The last backup failed.' },
  toSettings: { de: 'Zu den Einstellungen', en: 'To the settings' },

  archives: { de: 'Archive', en: 'Archives' },
  archive: { de: 'Archiv', en: 'Archive' },
  age: { de: 'Alter', en: 'Age' },
  size: { de: 'Größe', en: 'Size' },
  where: { de: 'Ort', en: 'Location' },
  incomplete: { de: 'unvollständig', en: 'incomplete' },
  incompleteHint: {
    de: 'Als es entstand, fehlten Dateien oder waren verändert. Alles andere ist darin.',
    en: 'When it was created, files were missing or altered. Everything else is in it.',
  },
  noArchives: { de: 'Noch kein Archiv', en: 'No archive yet' },
  noArchivesHint: {
    de: 'Die erste Sicherung schreibt eines; danach kommt jeden Tag eines dazu.',
    en: 'The first backup writes one; after that one is added every day.',
  },

  next: { de: 'Wie es weitergeht', en: 'What happens next' },
  daily: {
    de: (time: string) => `Jeden Tag um ${time} Uhr (Zeit des Servers) entsteht ein neues Archiv.`,
    en: (time: string) => `Every day at ${time} (server time) a new archive is created.`,
  },
  kept: {
    de: (count: number) =>
      count === 1
        ? 'An jedem Ort bleibt nur das neueste.'
        : `An jedem Ort bleiben die ${count} neuesten; ältere werden entfernt, sobald ein neues da ist.`,
    en: (count: number) =>
      count === 1
        ? 'At each location only the newest is kept.'
        : `At each location the ${count} newest are kept; older ones are removed once a new one is there.`,
  },
  target: { de: 'Ziel', en: 'Target' },
  targetDefault: { de: 'Ordner „sicherung“ im Datenordner', en: 'Folder “sicherung” in the data folder' },
  second: { de: 'Zweitziel', en: 'Second target' },
  secondNone: {
    de: 'keines. Auf einer anderen Festplatte überstünde die Sicherung auch den Ausfall der ersten.',
    en: 'none. On another disk the backup would survive the failure of the first one.',
  },

  restore: { de: 'Wiederherstellen', en: 'Restoring' },
  restoreFirst: { de: 'Den Dienst beenden.', en: 'Stop the service.' },
  restoreSecond: {
    de: 'Im Ordner des Programms diesen Befehl geben. Das Archiv wird zuerst geprüft; der bisherige Bestand bleibt daneben aufgehoben.',
    en: 'Give this command in the folder of the program. The archive is checked first; what was there is kept beside it.',
  },
  dataFolder: {
    de: 'DATA_DIR steht für den Datenordner des Dienstes.',
    en: 'DATA_DIR stands for the data folder of the service.',
  },
  copyCommand: { de: 'Befehl kopieren', en: 'Copy the command' },
})
