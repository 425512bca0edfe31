/** UI texts of the maintenance page. */
import { defineWords, filled, plural } from '../../language/words.ts'

export const words = defineWords({
  description: {
    de: 'Das meiste läuft von selbst. Hier lässt es sich ansehen und anstoßen.',
    en: 'Most of this runs automatically. Here you can check on it and start it.',
  },
  good: { de: 'In Ordnung', en: 'OK' },
  attention: { de: 'Achtung', en: 'Attention' },
  bad: { de: 'Nicht in Ordnung', en: 'Not OK' },
})

export const duplicatesWords = defineWords({
  title: { de: 'Gleiche Dateien', en: 'Equal files' },
  description: {
    de: 'Zeigt Dateien mit genau gleichem Inhalt; von jedem kann eine bleiben.',
    en: 'Shows files with exactly the same content; one of each can stay.',
  },
  look: { de: 'Gleiche Dateien ansehen', en: 'Look at equal files' },
})

export const roundWords = defineWords({
  thumbs: { de: 'Vorschauen', en: 'Previews' },
  thumbsDescription: {
    de: 'Macht die kleinen Bilder der Galerie, wo sie fehlen. Neue Dateien bekommen ihres von selbst.',
    en: 'Creates the small pictures of the gallery where they are missing. New files get theirs automatically.',
  },
  thumbsStart: { de: 'Vorschauen ergänzen', en: 'Create missing previews' },
  thumbsRunning: { de: 'Vorschauen werden gemacht', en: 'Creating previews' },
  thumbsComplete: { de: 'Alle Vorschauen sind da.', en: 'All previews are there.' },
  webp: { de: 'WebP-Fassungen', en: 'WebP versions' },
  webpDescription: {
    de: 'Macht kleinere Fassungen von Bildern, wo sie fehlen: Damit laden Seiten schneller. Das Original bleibt.',
    en: 'Creates smaller versions of pictures where they are missing, so that pages load faster. The original stays.',
  },
  webpStart: { de: 'WebP ergänzen', en: 'Create missing WebP' },
  webpRunning: { de: 'WebP-Fassungen werden gemacht', en: 'Creating WebP versions' },
  webpComplete: { de: 'Alle WebP-Fassungen sind da.', en: 'All WebP versions are there.' },
  stopping: { de: 'Hält an …', en: 'Stopping …' },
  stoppingNote: { de: 'Was begonnen ist, wird noch fertig', en: 'Finishing what has begun' },
  elsewhere: { de: 'Läuft gerade in einem anderen Fenster', en: 'Running in another window' },
  looking: { de: 'Wird durchgesehen …', en: 'Searching …' },
  perSecond: filled({ de: '# Dateien/s', en: '# files/s' }),
  done: plural({
    de: ['Fertig: eine Datei bearbeitet.', 'Fertig: # Dateien bearbeitet.'],
    en: ['Done: one file processed.', 'Done: # files processed.'],
  }),
  stopped: filled({
    de: 'Angehalten: # bearbeitet, # noch offen.',
    en: 'Stopped: # processed, # still open.',
  }),
  failed: filled({ de: 'Unterbrochen, # bearbeitet.', en: 'Interrupted, # processed.' }),
})

export const orphanWords = defineWords({
  title: { de: 'Verwaistes', en: 'Orphans' },
  description: {
    de: 'Sucht Dateien in der Ablage, die zu nichts mehr gehören, und Einträge, deren Datei fehlt.',
    en: 'Finds stored files that no longer belong to anything, and entries whose file is missing.',
  },
  look: { de: 'Verwaistes suchen', en: 'Find orphans' },
  looking: { de: 'Ablage und Datenbank werden verglichen', en: 'Comparing storage and database' },
  examinedText: filled({ de: '# durchgesehen', en: '# examined' }),
  nothing: { de: 'Nichts ist verwaist.', en: 'There are no orphans.' },
  found: filled({ de: '# ohne Eintrag, # ohne Datei.', en: '# without an entry, # without a file.' }),
  lastSearchAt: { de: 'Zuletzt gesucht:', en: 'Last search:' },
  withoutEntry: { de: 'Ohne Eintrag', en: 'Without an entry' },
  withoutEntryHint: {
    de: 'Diese Dateien liegen in der Ablage, aber nichts verweist auf sie. Sie haben keine Adresse und können weg.',
    en: 'These files are in the storage, but nothing points to them. They have no address and can be removed.',
  },
  tooYoung: plural({
    de: [
      'Eine ist jünger als eine Stunde und bleibt noch: Ein laufender Upload könnte sie brauchen.',
      '# sind jünger als eine Stunde und bleiben noch: Ein laufender Upload könnte sie brauchen.',
    ],
    en: [
      'One is younger than an hour and stays for now: an upload under way may need it.',
      '# are younger than an hour and stay for now: an upload under way may need them.',
    ],
  }),
  withoutFile: { de: 'Ohne Datei', en: 'Without a file' },
  withoutFileHint: {
    de: 'Diese Einträge gibt es, aber ihre Datei fehlt in der Ablage. Aus einer Sicherung zurückholen oder unter demselben Pfad neu hochladen.',
    en: 'These entries exist, but their file is missing from the storage. Restore it from a backup or upload it again to the same path.',
  },
  trash: { de: 'Papierkorb ohne Datei', en: 'Trash without a file' },
  trashHint: {
    de: 'Diese Einträge im Papierkorb lassen sich nicht mehr zurückholen; nur eine Sicherung hat sie vielleicht noch.',
    en: 'These trash entries can no longer be restored; only a backup may still have them.',
  },
  more: filled({ de: '… und # weitere', en: '… and # more' }),
  cleanUp: { de: 'Aufräumen …', en: 'Clean up …' },
  confirmTitle: { de: 'Verwaiste Dateien entfernen?', en: 'Remove orphaned files?' },
  confirmText: {
    de: (count: number, text: string) =>
      `${count === 1 ? 'Eine Datei' : `${text} Dateien`} ohne Eintrag ${count === 1 ? 'wird' : 'werden'} endgültig aus der Ablage gelöscht, nicht in den Papierkorb. Keine Adresse führt zu ${count === 1 ? 'ihr' : 'ihnen'}, in der Galerie ändert sich nichts.`,
    en: (count: number, text: string) =>
      `${count === 1 ? 'One file' : `${text} files`} without an entry ${count === 1 ? 'is' : 'are'} deleted from the storage for good, not moved to the trash. No address leads to ${count === 1 ? 'it' : 'them'}; nothing changes in the gallery.`,
  },
  frees: filled({ de: 'Frei werden #.', en: 'This frees #.' }),
  confirm: { de: 'Endgültig entfernen', en: 'Remove for good' },
  removed: plural({
    de: ['Eine Datei entfernt.', '# Dateien entfernt.'],
    en: ['One file removed.', '# files removed.'],
  }),
})

export const integrityWords = defineWords({
  title: { de: 'Unversehrtheit', en: 'Integrity' },
  description: {
    de: 'Liest jede Datei und vergleicht sie mit ihrer Prüfsumme; von selbst mindestens alle 30 Tage.',
    en: 'Reads every file and compares it with its checksum; automatically at least every 30 days.',
  },
  start: { de: 'Alles prüfen', en: 'Check everything' },
  running: { de: 'Dateien werden gelesen', en: 'Reading files' },
  runningButton: { de: 'Wird geprüft …', en: 'Checking …' },
  fine: { de: 'Alle Dateien sind in Ordnung.', en: 'All files are intact.' },
  checked: { de: 'Zuletzt ganz geprüft:', en: 'Last complete check:' },
  never: { de: 'Noch nie ganz geprüft.', en: 'Not completely checked yet.' },
  round: filled({
    de: 'Die laufende Runde hat # von # Dateien gelesen.',
    en: 'The current round has read # of # files.',
  }),
  files: filled({ de: '# von # Dateien', en: '# of # files' }),
  findings: plural({
    de: ['Eine Datei ist nicht in Ordnung.', '# Dateien sind nicht in Ordnung.'],
    en: ['One file is damaged or missing.', '# files are damaged or missing.'],
  }),
  whatToDo: {
    de: 'Was tun: aus einer Sicherung zurückholen oder unter demselben Pfad neu hochladen; danach verschwindet der Befund von selbst. Häufen sich Befunde, die Festplatte prüfen lassen.',
    en: 'What to do: restore it from a backup or upload it again to the same path; the finding then disappears by itself. If findings pile up, have the disk checked.',
  },
  list: { de: 'Befunde', en: 'Findings' },
  inTrash: { de: 'im Papierkorb', en: 'in the trash' },
  more: filled({ de: '… und # weitere', en: '… and # more' }),
})
