/** Words of the webhook and of the occasions. */
import { defineWords, filled } from '../../../language/words.ts'

export const occasionWords = defineWords({
  sicherung: {
    de: 'Sicherung fehlgeschlagen oder wieder gelungen',
    en: 'Backup failed, or is working again',
  },
  verwaiste: { de: 'Verwaiste Dateien gefunden', en: 'Orphaned files found' },
  platte: { de: 'Platte wird voll oder hat wieder Platz', en: 'Disk is filling up, or has space again' },
  upload: { de: 'Neue Dateien', en: 'New files' },
})

export const secretWords = defineWords({
  set: { de: 'gesetzt', en: 'set' },
  replace: { de: 'Ersetzen', en: 'Replace' },
  keep: { de: 'Doch behalten', en: 'Keep it after all' },
  remove: { de: 'Entfernen', en: 'Remove' },
  removeTitle: filled({ de: '# entfernen?', en: 'Remove “#”?' }),
  removed: filled({ de: '# ist entfernt.', en: '“#” has been removed.' }),
})

/** What follows from removing a secret. */
export const removalHints = defineWords({
  WEBHOOK_URL: {
    de: 'Sie ist geheim und lässt sich nicht zurückholen; danach kommen keine Nachrichten mehr, bis eine neue eingetragen ist.',
    en: 'It is secret and cannot be recovered; no messages are sent until a new one is entered.',
  },
  SICHERUNG_S3_SECRET_ACCESS_KEY: {
    de: 'Danach schlägt die Sicherung in den Bucket fehl, bis ein neuer eingetragen ist.',
    en: 'The backup to the bucket fails until a new one is entered.',
  },
  SICHERUNG_PASSWORT: {
    de: 'Was schon im Bucket liegt, öffnet weiterhin nur dieses Passwort; die Sicherung dorthin schlägt ohne es fehl.',
    en: 'What is in the bucket can still be opened with this password only; the backup there fails without it.',
  },
})

/** Placeholders of empty fields. */
export const secretExamples = defineWords({
  WEBHOOK_URL: {
    de: 'z. B. https://discord.com/api/webhooks/…',
    en: 'e.g. https://discord.com/api/webhooks/…',
  },
  SICHERUNG_S3_SECRET_ACCESS_KEY: { de: 'vom Anbieter', en: 'from the provider' },
  SICHERUNG_PASSWORT: { de: 'mindestens 10 Zeichen', en: 'at least 10 characters' },
})

export const webhookWords = defineWords({
  test: { de: 'Testnachricht senden', en: 'Send a test message' },
  saveAndTest: { de: 'Speichern und testen', en: 'Save and test' },
  arrived: filled({ de: 'Angekommen (Status #).', en: 'It arrived (status #).' }),
  refused: filled({ de: 'Nicht angenommen (Status #).', en: 'Not accepted (status #).' }),
  silent: { de: 'Nicht angekommen.', en: 'It did not arrive.' },
  answer: { de: 'Antwort des Empfängers:', en: 'Response from the receiving server:' },
})
