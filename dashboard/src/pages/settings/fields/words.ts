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

export const webhookWords = defineWords({
  set: { de: 'gesetzt', en: 'set' },
  replace: { de: 'Ersetzen', en: 'Replace' },
  keep: { de: 'Doch behalten', en: 'Keep it after all' },
  remove: { de: 'Entfernen', en: 'Remove' },
  removeTitle: { de: 'Webhook-Adresse entfernen?', en: 'Remove the webhook address?' },
  removeHint: {
    de: 'Sie ist geheim und lässt sich nicht zurückholen; danach kommen keine Nachrichten mehr, bis eine neue eingetragen ist.',
    en: 'It is secret and cannot be recovered; no messages are sent until a new one is entered.',
  },
  removed: { de: 'Die Webhook-Adresse ist entfernt.', en: 'The webhook address has been removed.' },
  example: { de: 'z. B. https://discord.com/api/webhooks/…', en: 'e.g. https://discord.com/api/webhooks/…' },
  test: { de: 'Testnachricht senden', en: 'Send a test message' },
  saveAndTest: { de: 'Speichern und testen', en: 'Save and test' },
  arrived: filled({ de: 'Angekommen (Status #).', en: 'It arrived (status #).' }),
  refused: filled({ de: 'Nicht angenommen (Status #).', en: 'Not accepted (status #).' }),
  silent: { de: 'Nicht angekommen.', en: 'It did not arrive.' },
  answer: { de: 'Antwort des Empfängers:', en: 'Response from the receiving server:' },
})
