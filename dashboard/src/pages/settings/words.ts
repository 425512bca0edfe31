/** UI texts of the settings. */
import { ownValue } from '../../../../src/contract/values/own-value.ts'
import { defineWords, filled, plural } from '../../language/words.ts'

export const words = defineWords({
  description: {
    de: 'Gilt sofort nach dem Speichern, ohne Neustart.',
    en: 'Takes effect as soon as it is saved, without a restart.',
  },
  sections: { de: 'Abschnitte', en: 'Sections' },
  addresses: { de: 'Adressen', en: 'Addresses' },
  messages: { de: 'Nachrichten', en: 'Messages' },
  sizes: { de: 'Bildgrößen', en: 'Picture sizes' },
  signIn: { de: 'Anmeldung', en: 'Sign-in' },
  bucket: { de: 'Sicherung außer Haus', en: 'Off-site backup' },
  oidc: { de: 'Anmeldung mit OpenID Connect', en: 'Sign-in with OpenID Connect' },
  discord: { de: 'Anmeldung mit Discord', en: 'Sign-in with Discord' },
  rules: plural({ de: ['eine Regel', '# Regeln'], en: ['one rule', '# rules'] }),
  transfer: { de: 'Export und Import', en: 'Export and import' },
  discard: { de: 'Verwerfen', en: 'Discard' },
  saved: filled({ de: 'Gespeichert: #.', en: 'Saved: #.' }),
  changes: { de: 'Noch nicht gespeichert', en: 'Not saved yet' },
  backToDefault: { de: 'Umgebung oder Vorgabe', en: 'environment or default' },
  none: { de: 'keine', en: 'none' },
  resetHint: filled({
    de: '#: auf Umgebung oder Vorgabe zurücksetzen',
    en: '#: reset to environment or default',
  }),
  resetDone: filled({ de: '# ist zurückgesetzt.', en: '# has been reset.' }),
  leaveTitle: { de: 'Seite verlassen?', en: 'Leave this page?' },
  leaveHint: {
    de: 'Änderungen sind noch nicht gespeichert:',
    en: 'Changes are not saved yet:',
  },
  leave: { de: 'Verwerfen und weiter', en: 'Discard and continue' },
  hostTitle: { de: 'Dashboard hier nicht mehr erreichbar', en: 'Dashboard no longer reachable here' },
  hostWarning: filled({
    de: 'Das Dashboard ist gerade unter # geöffnet. Nach dem Speichern antworten dort nur noch Dateien; das Dashboard geht dann nur über einen anderen Namen.',
    en: 'The dashboard is open at # right now. After saving, only files are served there; the dashboard then needs another name.',
  }),
  riskTitle: { de: 'Danach könnten Adressen ins Leere führen', en: 'Addresses could stop working' },
  filesElsewhere: {
    de: 'Die öffentliche Adresse nennt nicht den Host für Dateien. Dateien, Vorschauen und Freigaben antworten dann unter keiner Adresse, die der Dienst ausgibt.',
    en: 'The public address does not name the host for files. Files, previews and shares are then served at no address that the service hands out.',
  },
  addressUnseen: filled({
    de: 'Jede Adresse beginnt dann mit einem anderen Host als #, unter dem diese Seite gerade geöffnet ist. Vor dem Speichern am besten in einem anderen Tab öffnen und sehen, ob der Dienst dort antwortet.',
    en: 'Every address then begins with another host than #, where this page is open right now. Before saving, open it in another tab to see whether the service answers there.',
  }),
  saveAnyway: { de: 'Trotzdem speichern', en: 'Save anyway' },
})

/** The name of every setting. */
export const settingWords = defineWords({
  PUBLIC_URL: { de: 'Öffentliche Adresse', en: 'Public address' },
  FILES_HOST: { de: 'Eigener Hostname für Dateien', en: 'Separate host name for files' },
  DIENST: { de: 'Name des Dienstes', en: 'Name of the service' },
  MAX_UPLOAD_MB: { de: 'Größte Datei', en: 'Largest file' },
  EXIF_ENTFERNEN: { de: 'Orts- und Kameradaten', en: 'Location and camera data' },
  UEBERSCHRIEBENE: { de: 'Überschriebene Dateien', en: 'Overwritten files' },
  ZWEITER_FAKTOR: { de: 'Zweiter Faktor', en: 'Second factor' },
  BILDGROESSEN: { de: 'Größen', en: 'Sizes' },
  BILDGROESSEN_MAX_MB: { de: 'Platz für Bildgrößen', en: 'Space for picture sizes' },
  PAPIERKORB_MAX_MB: { de: 'Größe des Papierkorbs', en: 'Size of the trash' },
  WEBHOOK_URL: { de: 'Webhook-Adresse', en: 'Webhook address' },
  WEBHOOK_ANLAESSE: { de: 'Anlässe', en: 'Events' },
  SICHERUNG_ZIEL: { de: 'Ziel', en: 'Target' },
  SICHERUNG_ZWEITZIEL: { de: 'Zweites Ziel', en: 'Second target' },
  SICHERUNG_UHRZEIT: { de: 'Uhrzeit', en: 'Time of day' },
  SICHERUNG_BEHALTEN: { de: 'Aufbewahrte Archive', en: 'Archives kept' },
  SICHERUNG_WOCHEN: { de: 'Dazu je Woche eines', en: 'Plus one per week' },
  SICHERUNG_MONATE: { de: 'Dazu je Monat eines', en: 'Plus one per month' },
  SICHERUNG_PROBE: { de: 'Probe der Wiederherstellung', en: 'Rehearsed restore' },
  SICHERUNG_S3_ENDPOINT: { de: 'Adresse des Objektspeichers', en: 'Address of the object store' },
  SICHERUNG_S3_BUCKET: { de: 'Bucket', en: 'Bucket' },
  SICHERUNG_S3_REGION: { de: 'Region', en: 'Region' },
  SICHERUNG_S3_ACCESS_KEY_ID: { de: 'Zugangsschlüssel', en: 'Access key' },
  SICHERUNG_S3_SECRET_ACCESS_KEY: { de: 'Geheimer Schlüssel', en: 'Secret key' },
  SICHERUNG_S3_PRAEFIX: { de: 'Anfang der Namen', en: 'Beginning of names' },
  SICHERUNG_PASSWORT: { de: 'Passwort der Verschlüsselung', en: 'Encryption password' },
  OIDC_ISSUER: { de: 'Adresse des Anbieters', en: 'Address of the provider' },
  OIDC_CLIENT_ID: { de: 'Client-ID', en: 'Client ID' },
  OIDC_CLIENT_SECRET: { de: 'Client-Secret', en: 'Client secret' },
  OIDC_NAME: { de: 'Name des Anbieters', en: 'Name of the provider' },
  OIDC_REGELN: { de: 'Wer was darf', en: 'Who may do what' },
  DISCORD_CLIENT_ID: { de: 'Client-ID der Anwendung', en: 'Client ID of the application' },
  DISCORD_CLIENT_SECRET: { de: 'Client-Secret der Anwendung', en: 'Client secret of the application' },
  DISCORD_SERVER: { de: 'ID des Servers', en: 'Server ID' },
  DISCORD_REGELN: { de: 'Welche Rolle was darf', en: 'What each role may do' },
})

export const settingExplanations = defineWords({
  PUBLIC_URL: {
    de: 'Damit beginnen alle Adressen, die kopiert und ausgegeben werden.',
    en: 'All addresses that are copied and handed out begin with this.',
  },
  FILES_HOST: {
    de: 'Leer: Jeder Name gilt. Sonst gibt es Dateien nur unter diesem Namen und das Dashboard dort nie.',
    en: 'Empty: any host name works. Otherwise files are served under this name only, and the dashboard never is.',
  },
  DIENST: {
    de: 'Steht in Nachrichten und in der Statusabfrage.',
    en: 'Appears in messages and in the status answer.',
  },
  MAX_UPLOAD_MB: {
    de: 'Was größer ist, wird beim Hochladen abgelehnt.',
    en: 'Whatever is larger is refused on upload.',
  },
  EXIF_ENTFERNEN: {
    de: 'Was Kameras in JPEG, PNG und WebP schreiben. Das Bild selbst bleibt, wie es ist.',
    en: 'What cameras write into JPEG, PNG and WebP. The picture itself stays as it is.',
  },
  UEBERSCHRIEBENE: {
    de: 'Ob die ersetzte Datei als frühere Fassung im Papierkorb bleibt. Ein Token kann es anders festlegen.',
    en: 'Whether a replaced file stays in the trash as an earlier version. A token may override this.',
  },
  ZWEITER_FAKTOR: {
    de: 'Wer außer dem Passwort einen Code oder einen Passkey braucht. Ein Konto ohne richtet ihn ein, bevor es weitergeht.',
    en: 'Who needs a code or a passkey besides the password. An account without one sets it up before anything else.',
  },
  BILDGROESSEN: {
    de: 'Jedes Bild gibt es in diesen Größen unter /b/<Name>/<Pfad>, nie vergrößert. Ohne eine Größe ist das abgeschaltet.',
    en: 'Every picture is available in these sizes at /b/<name>/<path>, never enlarged. Without any size this is switched off.',
  },
  BILDGROESSEN_MAX_MB: {
    de: 'Sind es mehr, gehen die am längsten nicht gefragten; bei Bedarf entstehen sie neu.',
    en: 'Beyond that those that were not asked for the longest go; they are made again when needed.',
  },
  PAPIERKORB_MAX_MB: {
    de: 'Wird er größer, wird das Älteste endgültig gelöscht.',
    en: 'When it grows beyond that, the oldest files are deleted for good.',
  },
  WEBHOOK_URL: {
    de: 'Für Discord, Slack oder Mattermost. Nach dem Speichern bleibt sie geheim.',
    en: 'For Discord, Slack or Mattermost. Once saved it stays secret.',
  },
  WEBHOOK_ANLAESSE: { de: 'Worüber eine Nachricht kommt.', en: 'What messages are sent about.' },
  SICHERUNG_ZIEL: {
    de: 'Ordner für die Archive. Leer: im Datenordner.',
    en: 'Folder for the archives. Empty: in the data folder.',
  },
  SICHERUNG_ZWEITZIEL: {
    de: 'Eine Kopie auf einer anderen Platte oder einem Netzlaufwerk, falls die erste ausfällt.',
    en: 'A copy on another disk or a network share, in case the first one fails.',
  },
  SICHERUNG_UHRZEIT: { de: 'Täglich, Ortszeit des Servers.', en: 'Daily, local time of the server.' },
  SICHERUNG_BEHALTEN: {
    de: 'So viele der neuesten bleiben an jedem Ziel.',
    en: 'This many of the newest stay at each target.',
  },
  SICHERUNG_WOCHEN: {
    de: 'Von so vielen Wochen bleibt zusätzlich das neueste Archiv.',
    en: 'The newest archive of this many weeks stays as well.',
  },
  SICHERUNG_MONATE: {
    de: 'Von so vielen Monaten bleibt zusätzlich das neueste Archiv.',
    en: 'The newest archive of this many months stays as well.',
  },
  SICHERUNG_PROBE: {
    de: 'Einmal im Monat wird das neueste Archiv zur Probe wiederhergestellt und verglichen.',
    en: 'Once a month the newest archive is restored to a temporary folder and compared.',
  },
  SICHERUNG_S3_ENDPOINT: {
    de: 'Drittes Ziel außer Haus, bei jedem S3-kompatiblen Anbieter. Leer: keines.',
    en: 'Third target off-site, at any S3-compatible provider. Empty: none.',
  },
  SICHERUNG_S3_BUCKET: { de: 'Er muss schon bestehen.', en: 'It has to exist already.' },
  SICHERUNG_S3_REGION: { de: 'Wie der Anbieter sie nennt.', en: 'As the provider calls it.' },
  SICHERUNG_S3_ACCESS_KEY_ID: {
    de: 'Er muss lesen, schreiben, auflisten und löschen dürfen.',
    en: 'It must be allowed to read, write, list and delete.',
  },
  SICHERUNG_S3_SECRET_ACCESS_KEY: {
    de: 'Nach dem Speichern bleibt er geheim.',
    en: 'Once saved it stays secret.',
  },
  SICHERUNG_S3_PRAEFIX: {
    de: 'Wenn im Bucket auch anderes liegt.',
    en: 'If the bucket holds other things too.',
  },
  SICHERUNG_PASSWORT: {
    de: 'Damit wird verschlüsselt, was in den Bucket geht (age). Ohne das Passwort ist es verloren: bitte auch außerhalb aufbewahren.',
    en: 'What goes to the bucket is encrypted with it (age). Without the password it is lost: please keep it elsewhere too.',
  },
  OIDC_ISSUER: {
    de: 'Der „Issuer“, genau wie der Anbieter ihn nennt. Leer: keine Anmeldung dort.',
    en: 'The “issuer”, exactly as the provider names it. Empty: no sign-in there.',
  },
  OIDC_CLIENT_ID: {
    de: 'Unter ihr ist dieser Dienst beim Anbieter eingetragen.',
    en: 'Under which this service is registered at the provider.',
  },
  OIDC_CLIENT_SECRET: { de: 'Nach dem Speichern bleibt es geheim.', en: 'Once saved it stays secret.' },
  OIDC_NAME: { de: 'Steht auf dem Knopf der Anmeldeseite.', en: 'Shown on the button of the sign-in page.' },
  OIDC_REGELN: {
    de: 'Bei jeder Anmeldung gilt die erste Regel, die passt. Passt keine, kommt niemand herein.',
    en: 'At each sign-in the first rule that matches counts. If none matches, nobody gets in.',
  },
  DISCORD_CLIENT_ID: {
    de: 'Aus dem Developer Portal von Discord, unter „OAuth2“.',
    en: 'From Discord’s Developer Portal, under “OAuth2”.',
  },
  DISCORD_CLIENT_SECRET: { de: 'Nach dem Speichern bleibt es geheim.', en: 'Once saved it stays secret.' },
  DISCORD_SERVER: {
    de: 'Nur Mitglieder dieses Servers können sich anmelden.',
    en: 'Only members of this server can sign in.',
  },
  DISCORD_REGELN: {
    de: 'Bei jeder Anmeldung gilt die erste Regel, die passt. Die ID des Servers steht für alle Mitglieder.',
    en: 'At each sign-in the first rule that matches counts. The server ID stands for all members.',
  },
})

/** Placeholders of the empty fields, except those for secrets (`fields/words.ts`). */
export const settingExamples = defineWords({
  PUBLIC_URL: { de: 'z. B. https://medien.example.org', en: 'e.g. https://media.example.org' },
  FILES_HOST: { de: 'z. B. dateien.example.org', en: 'e.g. files.example.org' },
  DIENST: { de: 'z. B. Fundus', en: 'e.g. Fundus' },
  MAX_UPLOAD_MB: { de: 'z. B. 64', en: 'e.g. 64' },
  EXIF_ENTFERNEN: { de: 'behalten', en: 'keep' },
  UEBERSCHRIEBENE: { de: 'im Dashboard', en: 'in the dashboard' },
  ZWEITER_FAKTOR: { de: 'freiwillig', en: 'optional' },
  BILDGROESSEN_MAX_MB: { de: 'z. B. 1024', en: 'e.g. 1024' },
  PAPIERKORB_MAX_MB: { de: 'z. B. 20480', en: 'e.g. 20480' },
  SICHERUNG_ZIEL: { de: 'im Datenordner', en: 'in the data folder' },
  SICHERUNG_ZWEITZIEL: { de: 'z. B. D:\\Sicherung oder /mnt/nas', en: 'e.g. D:\\Backup or /mnt/nas' },
  SICHERUNG_UHRZEIT: { de: 'z. B. 03:30', en: 'e.g. 03:30' },
  SICHERUNG_BEHALTEN: { de: 'z. B. 14', en: 'e.g. 14' },
  SICHERUNG_WOCHEN: { de: 'z. B. 8', en: 'e.g. 8' },
  SICHERUNG_MONATE: { de: 'z. B. 12', en: 'e.g. 12' },
  SICHERUNG_PROBE: { de: 'monatlich', en: 'monthly' },
  SICHERUNG_S3_ENDPOINT: { de: 'z. B. https://s3.example.org', en: 'e.g. https://s3.example.org' },
  SICHERUNG_S3_BUCKET: { de: 'z. B. fundus-sicherung', en: 'e.g. fundus-backup' },
  SICHERUNG_S3_REGION: { de: 'z. B. eu-central-1', en: 'e.g. eu-central-1' },
  SICHERUNG_S3_ACCESS_KEY_ID: { de: 'z. B. AKIA…', en: 'e.g. AKIA…' },
  SICHERUNG_S3_PRAEFIX: { de: 'z. B. fundus/', en: 'e.g. fundus/' },
  OIDC_ISSUER: { de: 'z. B. https://login.example.org', en: 'e.g. https://login.example.org' },
  OIDC_CLIENT_ID: { de: 'z. B. fundus', en: 'e.g. fundus' },
  OIDC_NAME: { de: 'z. B. Vereinskonto', en: 'e.g. Club account' },
  DISCORD_CLIENT_ID: { de: 'z. B. 1122334455667788990', en: 'e.g. 1122334455667788990' },
  DISCORD_SERVER: { de: 'z. B. 998877665544332211', en: 'e.g. 998877665544332211' },
})

/**
 * Labels of the options of settings that are chosen from a list; the keys have the form `<setting>_<value>`.
 */
export const choiceWords = defineWords({
  EXIF_ENTFERNEN_nein: { de: 'Beim Hochladen behalten', en: 'Keep on upload' },
  EXIF_ENTFERNEN_ja: { de: 'Beim Hochladen entfernen', en: 'Remove on upload' },
  UEBERSCHRIEBENE_dashboard: { de: 'Nur im Dashboard behalten', en: 'Keep if replaced in the dashboard' },
  UEBERSCHRIEBENE_alle: { de: 'Immer behalten', en: 'Always keep' },
  UEBERSCHRIEBENE_nie: { de: 'Nie behalten', en: 'Never keep' },
  SICHERUNG_PROBE_monatlich: { de: 'Einmal im Monat', en: 'Once a month' },
  SICHERUNG_PROBE_aus: { de: 'Aus', en: 'Off' },
  ZWEITER_FAKTOR_frei: { de: 'Freiwillig', en: 'Optional' },
  ZWEITER_FAKTOR_betreiber: { de: 'Pflicht für Betreiber', en: 'Required for operators' },
  ZWEITER_FAKTOR_alle: { de: 'Pflicht für alle', en: 'Required for everybody' },
})

/** The label of an option of the setting `name`; the value itself if the option has no label. */
export const choiceText = (choiceLabels: object, name: string, value: string): string =>
  ownValue(choiceLabels as Readonly<Record<string, string>>, `${name}_${value}`) ?? value
