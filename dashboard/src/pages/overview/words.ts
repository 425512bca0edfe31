/** UI texts of the overview. */
import { defineWords, filled, plural } from '../../language/words.ts'

export const words = defineWords({
  nothing: { de: 'Noch keine Dateien', en: 'No files yet' },
  description: {
    de: 'Wie viel da ist, und ob alles in Ordnung ist.',
    en: 'How much there is, and whether everything is in order.',
  },
  descriptionOfFiles: {
    de: 'Wie viel da ist, und was davon abgerufen wird.',
    en: 'How much there is, and which of it is viewed.',
  },
  size: { de: 'Belegt', en: 'Used' },
  retrievals: { de: 'Abrufe in 7 Tagen', en: 'Views in 7 days' },
  free: { de: 'Freier Platz', en: 'Free space' },
  freeOf: filled({ de: 'von #', en: 'of #' }),
  newest: { de: 'Neueste', en: 'Newest' },
  most: { de: 'Am meisten abgerufen', en: 'Most viewed' },
  never: { de: 'Nie abgerufen', en: 'Never viewed' },
  mostEmpty: { de: 'Noch hat niemand eine Datei abgerufen.', en: 'Nobody has viewed a file yet.' },
  neverEmpty: { de: 'Jede Datei wurde schon abgerufen.', en: 'Every file has been viewed.' },
  backup: { de: 'Letzte Sicherung', en: 'Last backup' },
  backupNone: {
    de: 'Noch keine. Die erste läuft in der Nacht, oder gleich von Hand.',
    en: 'None yet. The first one runs tonight, or start it now.',
  },
  backupGood: { de: 'Gelungen', en: 'Succeeded' },
  backupBad: { de: 'Fehlgeschlagen', en: 'Failed' },
  toBackup: { de: 'Zur Wartung', en: 'Go to maintenance' },
  state: { de: 'Zustand', en: 'Status' },
  damaged: plural({
    de: ['Eine Datei ist beschädigt oder fehlt.', '# Dateien sind beschädigt oder fehlen.'],
    en: ['One file is damaged or missing.', '# files are damaged or missing.'],
  }),
  viewFindings: { de: 'Ansehen', en: 'View' },
  allRead: { de: 'Alle Dateien gelesen und unversehrt:', en: 'All files read and intact:' },
})

export const firstStepWords = defineWords({
  title: { de: 'Willkommen bei Fundus', en: 'Welcome to Fundus' },
  description: { de: 'In drei Schritten ist alles bereit.', en: 'Three steps, and everything is ready.' },
  uploadTitle: { de: 'Erste Dateien hochladen', en: 'Upload the first files' },
  uploadText: {
    de: 'Oben auf „Hochladen“, oder Dateien und Ordner einfach ins Fenster ziehen.',
    en: 'Use “Upload” at the top, or simply drop files and folders into the window.',
  },
  tokenTitle: { de: 'Ein Token anlegen', en: 'Create a token' },
  tokenText: {
    de: 'Der Schlüssel, mit dem Spielserver, Bot oder ShareX hochladen dürfen.',
    en: 'The key with which a game server, a bot or ShareX may upload.',
  },
  tokenDo: { de: 'Zu den Tokens', en: 'Go to the tokens' },
  addressTitle: { de: 'Öffentliche Adresse eintragen', en: 'Enter the public address' },
  addressText: filled({
    de: 'Kopierte Adressen beginnen zurzeit mit #',
    en: 'Copied addresses currently begin with #',
  }),
  done: { de: 'erledigt', en: 'done' },
})
