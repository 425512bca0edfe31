/** UI texts of the fields of settings. */
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

/** What happens after a secret is removed; shown in the dialog that asks for confirmation. */
export const removalHints = defineWords({
  OIDC_CLIENT_SECRET: {
    de: 'Danach kann sich niemand mehr beim Anbieter anmelden, bis ein neues eingetragen ist.',
    en: 'Nobody can sign in at the provider until a new one is entered.',
  },
  DISCORD_CLIENT_SECRET: {
    de: 'Danach kann sich niemand mehr mit Discord anmelden, bis ein neues eingetragen ist.',
    en: 'Nobody can sign in with Discord until a new one is entered.',
  },
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

/** Placeholders of the empty fields for secrets. */
export const secretExamples = defineWords({
  OIDC_CLIENT_SECRET: { de: 'vom Anbieter', en: 'from the provider' },
  DISCORD_CLIENT_SECRET: { de: 'aus dem Developer Portal', en: 'from the Developer Portal' },
  WEBHOOK_URL: {
    de: 'z. B. https://discord.com/api/webhooks/…',
    en: 'e.g. https://discord.com/api/webhooks/…',
  },
  SICHERUNG_S3_SECRET_ACCESS_KEY: { de: 'vom Anbieter', en: 'from the provider' },
  SICHERUNG_PASSWORT: { de: 'mindestens 10 Zeichen', en: 'at least 10 characters' },
})

export const ruleWords = defineWords({
  rule: filled({ de: 'Regel #', en: 'Rule #' }),
  anspruch: { de: 'Anspruch (Claim)', en: 'Claim' },
  wert: { de: 'Wert', en: 'Value' },
  rolle_id: { de: 'Rollen-ID bei Discord', en: 'Discord role ID' },
  role: { de: 'Rolle hier', en: 'Role here' },
  folders: { de: 'Nur diese Ordner', en: 'Only these folders' },
  allFolders: { de: 'alle Ordner', en: 'all folders' },
  moveRuleUp: { de: 'Regel nach oben', en: 'Move rule up' },
  remove: { de: 'Regel entfernen', en: 'Remove rule' },
  add: { de: 'Regel hinzufügen', en: 'Add rule' },
})

export const sizeWords = defineWords({
  size: filled({ de: 'Größe #', en: 'Size #' }),
  name: { de: 'Name', en: 'Name' },
  breite: { de: 'Breite in Pixeln', en: 'Width in pixels' },
  hoehe: { de: 'Höhe in Pixeln', en: 'Height in pixels' },
  anyLength: { de: 'beliebig', en: 'any' },
  fit: { de: 'Zuschnitt', en: 'Fit' },
  einpassen: { de: 'Ganz zeigen', en: 'Show whole' },
  fuellen: { de: 'Füllen und beschneiden', en: 'Fill and crop' },
  format: { de: 'Format', en: 'Format' },
  auto: { de: 'Was der Browser kann', en: 'What the browser takes' },
  webp: { de: 'WebP', en: 'WebP' },
  avif: { de: 'AVIF', en: 'AVIF' },
  jpeg: { de: 'JPEG', en: 'JPEG' },
  remove: filled({ de: 'Größe # entfernen', en: 'Remove size #' }),
  add: { de: 'Größe hinzufügen', en: 'Add size' },
})

export const signInTestWords = defineWords({
  returnAddress: { de: 'Weiterleitungsadresse', en: 'Redirect address' },
  returnHint: {
    de: 'Beim Anbieter genau so eintragen („Redirect URI“).',
    en: 'Enter it at the provider exactly like this (“redirect URI”).',
  },
  try: { de: 'Ausprobieren', en: 'Try it' },
  tryHint: {
    de: 'Führt zum Anbieter und zeigt danach hier, was er über das Konto sagt. Niemand wird dabei angemeldet.',
    en: 'Leads to the provider and then shows here what it says about the account. Nobody is signed in.',
  },
  saveFirst: { de: 'Bitte zuerst speichern.', en: 'Please save first.' },
  matched: filled({
    de: '„#“ käme herein: Regel # gilt, Rolle #, Ordner: #.',
    en: '“#” would get in: rule # matches, role #, folders: #.',
  }),
  unmatched: filled({
    de: '„#“ käme nicht herein: Keine Regel passt.',
    en: '“#” would not get in: no rule matches.',
  }),
  allFolders: { de: 'alle', en: 'all' },
  answer: { de: 'Das sagt der Anbieter:', en: 'What the provider says:' },
})

export const webhookWords = defineWords({
  test: { de: 'Testnachricht senden', en: 'Send a test message' },
  saveAndTest: { de: 'Speichern und testen', en: 'Save and test' },
  arrived: filled({ de: 'Angekommen (Status #).', en: 'It arrived (status #).' }),
  refused: filled({ de: 'Nicht angenommen (Status #).', en: 'Not accepted (status #).' }),
  notArrived: { de: 'Nicht angekommen.', en: 'It did not arrive.' },
  answer: { de: 'Antwort des Empfängers:', en: 'Response from the receiving server:' },
})
