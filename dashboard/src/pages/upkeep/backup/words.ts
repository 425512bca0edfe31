/** UI texts of the backup. */
import { defineWords, filled } from '../../../language/words.ts'

export const backupWords = defineWords({
  description: {
    de: 'Schreibt ein Archiv mit allem: Dateien, Papierkorb, Konten, Tokens, Einstellungen und Verlauf.',
    en: 'Writes an archive of everything: files, trash, accounts, tokens, settings and history.',
  },
  run: { de: 'Jetzt sichern', en: 'Back up now' },
  running: { de: 'Wird gesichert …', en: 'Backing up …' },
  details: { de: 'Archive und Wiederherstellung', en: 'Archives and restore' },

  schreiben: { de: 'Das Archiv wird geschrieben', en: 'Writing the archive' },
  pruefen: { de: 'Das Archiv wird zurückgelesen und geprüft', en: 'Reading the archive back' },
  zweitziel: { de: 'Wird ans Zweitziel kopiert und verglichen', en: 'Copying to the second target' },
  bucket: { de: 'Wird in den Bucket kopiert und verglichen', en: 'Copying to the bucket' },

  noBackupYet: { de: 'Es gibt noch keine Sicherung.', en: 'There is no backup yet.' },
  succeeded: { de: 'Die letzte Sicherung ist gelungen.', en: 'The last backup succeeded.' },
  failed: { de: 'Die letzte Sicherung ist fehlgeschlagen.', en: 'The last backup failed.' },

  archives: { de: 'Archive', en: 'Archives' },
  archive: { de: 'Archiv', en: 'Archive' },
  age: { de: 'Alter', en: 'Age' },
  where: { de: 'Ort', en: 'Location' },
  incomplete: { de: 'unvollständig', en: 'incomplete' },
  incompleteHint: {
    de: 'Als es entstand, fehlten Dateien oder waren verändert. Alles andere ist darin.',
    en: 'When it was created, files were missing or altered. Everything else is in it.',
  },
  downloadOne: filled({ de: '# herunterladen', en: 'Download #' }),
  sum: { de: 'Prüfsumme', en: 'Checksum' },
  sumOne: filled({ de: 'Prüfsumme von # berechnen', en: 'Calculate the checksum of #' }),
  stays: { de: 'Bleibt', en: 'Kept' },
  anzahl: { de: 'unter den neuesten', en: 'among the newest' },
  woche: { de: 'neuestes der Woche', en: 'newest of its week' },
  monat: { de: 'neuestes des Monats', en: 'newest of its month' },
  vollstaendig: { de: 'neuestes vollständiges', en: 'newest complete' },
  removedByNextRun: { de: 'nein, der nächste Lauf entfernt es', en: 'no, the next run removes it' },
  noArchives: { de: 'Noch kein Archiv', en: 'No archive yet' },
  noArchivesHint: {
    de: 'Die erste Sicherung schreibt eines; danach kommt jeden Tag eines dazu.',
    en: 'The first backup writes one; after that one is added every day.',
  },

  places: { de: 'Platz', en: 'Space' },
  placeTaken: filled({ de: '# belegt', en: '# used' }),
  placeFree: filled({ de: '# frei', en: '# free' }),
  placeCopied: filled({ de: 'der letzte Lauf hat # kopiert', en: 'the last run copied #' }),
  contentsStoredOnce: {
    de: 'Archive enthalten nur die Liste; der Inhalt jeder Datei liegt daneben einmal, für alle Archive zusammen.',
    en: 'Archives contain only the list; the content of each file is stored beside them once, for all archives together.',
  },

  next: { de: 'Wie es weitergeht', en: 'What happens next' },
  daily: filled({
    de: 'Jeden Tag um # Uhr (Zeit des Servers) entsteht ein neues Archiv.',
    en: 'Every day at # (server time) a new archive is created.',
  }),
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
  keptPeriods: {
    de: (weeks: number, months: number) =>
      `Dazu bleibt das neueste von ${[weeks > 0 && `${weeks} Wochen`, months > 0 && `${months} Monaten`].filter(Boolean).join(' und ')}.`,
    en: (weeks: number, months: number) =>
      `In addition the newest of ${[weeks > 0 && `${weeks} weeks`, months > 0 && `${months} months`].filter(Boolean).join(' and ')} is kept.`,
  },
  target: { de: 'Ziel', en: 'Target' },
  targetDefault: { de: 'Ordner „sicherung“ im Datenordner', en: 'Folder “sicherung” in the data folder' },
  second: { de: 'Zweitziel', en: 'Second target' },
  bucketPlace: { de: 'Bucket', en: 'Bucket' },
  bucketNone: { de: 'keiner eingestellt', en: 'none set' },
  secondNone: {
    de: 'keines. Auf einer anderen Festplatte überstünde die Sicherung auch den Ausfall der ersten.',
    en: 'none. On another disk the backup would survive the failure of the first one.',
  },

  rehearsal: { de: 'Probe der Wiederherstellung', en: 'Rehearsed restore' },
  rehearsalWhat: {
    de: 'Einmal im Monat wird das neueste Archiv zur Probe wiederhergestellt, in einem Ordner auf Zeit. Alle Einträge und eine Stichprobe der Dateien werden mit dem Archiv verglichen.',
    en: 'Once a month the newest archive is restored to a temporary folder. All records and a sample of the files are compared with the archive.',
  },
  rehearsalOff: {
    de: 'Die monatliche Probe ist ausgeschaltet. Sie stellt das neueste Archiv in einem Ordner auf Zeit wieder her und vergleicht es.',
    en: 'The monthly rehearsal is turned off. It restores the newest archive to a temporary folder and compares it.',
  },
  rehearsalNone: { de: 'Noch nicht geprobt.', en: 'Not rehearsed yet.' },
  rehearsalGood: { de: 'Die letzte Probe ist gelungen.', en: 'The last rehearsal succeeded.' },
  rehearsalBad: { de: 'Die letzte Probe ist misslungen.', en: 'The last rehearsal failed.' },
  rehearsalCompared: filled({
    de: '# Einträge und # von # Dateien verglichen',
    en: 'compared # records and # of # files',
  }),
  rehearsalNow: { de: 'Jetzt proben:', en: 'Rehearse now:' },

  restoreWhat: {
    de: 'Eine Wiederherstellung setzt alles auf den Stand des Archivs: Dateien, Papierkorb, Konten, Tokens, Einstellungen und Verlauf. Was seitdem dazukam, fehlt danach. Gelöscht wird nichts: Der bisherige Stand bleibt im Datenordner in einem Ordner „vorher-…“.',
    en: 'Restoring sets everything back to the state of the archive: files, trash, accounts, tokens, settings and history. What was added since is then missing. Nothing is deleted: the previous state stays in the data folder, in a folder “vorher-…”.',
  },
  restoreFirst: { de: 'Den Dienst beenden.', en: 'Stop the service.' },
  restoreSecond: {
    de: 'Im Ordner des Programms diesen Befehl ausführen. Zuerst wird das ganze Archiv geprüft; ist etwas beschädigt, bleibt alles, wie es war. Ein heruntergeladenes Archiv geht genauso, mit seinem Pfad.',
    en: 'Run this command in the folder of the program. The whole archive is checked first; if anything is damaged, everything stays as it was. A downloaded archive works in the same way, with its path.',
  },
  restoreThird: { de: 'Den Dienst wieder starten.', en: 'Start the service again.' },
  dataFolder: {
    de: 'DATA_DIR steht für den Datenordner des Dienstes.',
    en: 'DATA_DIR stands for the data folder of the service.',
  },
  copyCommand: { de: 'Befehl kopieren', en: 'Copy the command' },
})
