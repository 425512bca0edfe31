/** UI texts of the page of duplicate files. */
import { defineWords, filled, plural } from '../../language/words.ts'

export const words = defineWords({
  duplicates: { de: 'Gleiche Dateien', en: 'Equal files' },
  description: {
    de: 'Dateien mit genau gleichem Inhalt, die größte Verschwendung zuerst. Eine jeder Gruppe bleibt, die anderen kommen in den Papierkorb.',
    en: 'Files with exactly the same content, the largest waste first. One of each group stays, the others go to the trash.',
  },
  addressesHint: {
    de: 'Die Adressen der entfernten Dateien gelten dann nicht mehr; die gezählten Abrufe zeigen, welche noch benutzt werden.',
    en: 'The addresses of removed files then no longer work; the counted views show which are still in use.',
  },
  none: { de: 'Keine gleichen Dateien', en: 'No equal files' },
  noneHint: { de: 'Jeder Inhalt ist nur einmal da.', en: 'Every content is there only once.' },
  surplus: plural({
    de: ['eine Datei zu viel', '# Dateien zu viel'],
    en: ['one file too many', '# files too many'],
  }),
  total: filled({ de: '#, zusammen #', en: '#, # in all' }),
  group: plural({
    de: ['# Datei zu je #', '# Dateien zu je #'],
    en: ['# file of # each', '# files of # each'],
  }),
  frees: filled({ de: '# werden frei', en: 'frees #' }),
  keepWhich: { de: 'Welche Datei bleibt', en: 'Which file stays' },
  views: plural({ de: ['1 Abruf', '# Abrufe'], en: ['1 view', '# views'] }),
  more: plural({ de: ['und eine weitere', 'und # weitere'], en: ['and one more', 'and # more'] }),
  removeOthers: plural({
    de: ['Die andere entfernen', 'Die # anderen entfernen'],
    en: ['Remove the other', 'Remove the # others'],
  }),
  removeAll: plural({
    de: ['Bei dieser Gruppe aufräumen', 'Bei allen # Gruppen dieser Seite aufräumen'],
    en: ['Clean up this group', 'Clean up all # groups of this page'],
  }),
  removed: plural({
    de: ['Eine Datei in den Papierkorb gelegt.', '# Dateien in den Papierkorb gelegt.'],
    en: ['One file moved to the trash.', '# files moved to the trash.'],
  }),
})
