/** Errors of the service itself: its settings, tasks that are running, and internal failures. */
import { ERROR_FIELD_HEADER } from '../contract/service/error-headers.ts'
import type { BilingualText } from '../contract/words/both-languages.ts'
import { createFailures } from './failure.ts'

export const serviceFailures = {
  ...createFailures(400, {
    settingInvalid: (name: string, problem: BilingualText) => ({
      sentence: `Die Einstellung ${name} ${problem.de}.`,
      english: `${name} ${problem.en}.`,
      headers: { [ERROR_FIELD_HEADER]: name },
    }),
    settingUnknown: (name: string) => `Die Einstellung „${name.slice(0, 50)}“ gibt es nicht.`,
    webhookMissing: () =>
      'Es ist keine Adresse für Nachrichten eingetragen; bitte zuerst WEBHOOK_URL angeben.',
    webhookUnsaved: () => 'Getestet wird nur die gespeicherte Adresse; bitte WEBHOOK_URL zuerst speichern.',
  }),
  ...createFailures(409, {
    sweepRunning: () => ({
      sentence: 'Ablage und Datenbank werden gerade abgeglichen; bitte gleich erneut versuchen.',
      headers: { 'Retry-After': '30' },
    }),
    retentionRunning: () => ({
      sentence: 'Die Aufbewahrungsfristen werden gerade ausgeführt; bitte gleich erneut versuchen.',
      headers: { 'Retry-After': '30' },
    }),
    clockDoubted: () =>
      'Die Uhr des Rechners ist gesprungen, oder er war länger als einen Tag aus; bis die Uhr sicher stimmt (nach einer Stunde und der nächsten Änderung an einer Datei, sonst nach einem Tag), geht nichts nach Alter in den Papierkorb.',
    rowsLost: () =>
      'Die Datenbank kennt keine einzige Datei oder ist veraltet, und in der Ablage liegen Dateien ohne Eintrag; nichts wurde entfernt; ob sie veraltet ist, sagt „fundus doctor“, und „fundus rebuild“ verzeichnet die vorhandenen Dateien neu.',
  }),
  ...createFailures(500, {
    unexpected: (reference: string, cause: unknown) => ({
      sentence: `Im Dienst ist ein unerwarteter Fehler aufgetreten (Nummer ${reference}).`,
      cause,
    }),
  }),
  ...createFailures(503, {
    // `/status` adds one of these two sentences to the results of its checks if it answers with status 503.
    statusDisturbed: () => 'Der Dienst ist gestört.',
    statusImpaired: () => 'Der Dienst arbeitet, ist aber nicht in bester Ordnung.',
    /** Sent until startup has finished, which includes creating the account that the environment defines. */
    starting: () => ({
      sentence: 'Der Dienst startet gerade; bitte gleich erneut versuchen.',
      headers: { 'Retry-After': '1' },
    }),
    /** Counts as logged, because the server itself logs one line for many refused connections. */
    connectionsCrowded: () => ({
      sentence: 'Der Dienst hat gerade zu viele Verbindungen; bitte gleich erneut versuchen.',
      headers: { 'Retry-After': '5' },
      isLogged: true,
    }),
    databaseBusy: (cause: unknown) => ({
      sentence: 'Gerade wird sehr viel auf einmal geändert; bitte gleich erneut versuchen.',
      headers: { 'Retry-After': '5' },
      cause,
    }),
    databaseUnavailable: (cause: unknown) => ({
      sentence: 'Die Datenbank antwortet nicht; bitte gleich erneut versuchen.',
      headers: { 'Retry-After': '5' },
      cause,
    }),
    recordedTooLate: () => ({
      sentence:
        'Zwischen dem Ablegen der Datei und ihrem Eintrag verging zu viel Zeit, etwa weil der Rechner angehalten war; nichts wurde gespeichert, bitte erneut hochladen.',
      headers: { 'Retry-After': '1' },
    }),
    databaseUncertain: (cause: unknown) => ({
      sentence:
        'Die Datenbank antwortet nicht mehr; ob die Änderung gespeichert ist, ist nicht bekannt, bitte nachsehen oder sie wiederholen.',
      headers: { 'Retry-After': '5' },
      cause,
    }),
    storageDamaged: (cause: unknown) => ({
      sentence:
        'Der Objektspeicher liefert diese Datei beschädigt; bitte später erneut versuchen oder die Verwaltung verständigen.',
      headers: { 'Retry-After': '60' },
      cause,
    }),
    databaseUnflushed: (cause: unknown) => ({
      sentence:
        'Der Datenträger schreibt gerade nicht zuverlässig, deshalb wird nichts gespeichert; bitte gleich erneut versuchen.',
      headers: { 'Retry-After': '5' },
      cause,
    }),
    diskReadOnly: (cause: unknown) => ({
      sentence: 'Der Datenträger des Dienstes ist schreibgeschützt, deshalb wird nichts gespeichert.',
      headers: { 'Retry-After': '60' },
      cause,
    }),
    diskBroken: (cause: unknown) => ({
      sentence: 'Der Datenträger des Dienstes meldet einen Lese- oder Schreibfehler.',
      headers: { 'Retry-After': '60' },
      cause,
    }),
    tooManyOpenFiles: (cause: unknown) => ({
      sentence:
        'Der Dienst hat gerade zu viele Dateien und Verbindungen offen; bitte gleich erneut versuchen.',
      headers: { 'Retry-After': '5' },
      cause,
    }),
    storageUnavailable: (cause: unknown) => ({
      sentence: 'Der Objektspeicher antwortet nicht; bitte gleich erneut versuchen.',
      headers: { 'Retry-After': '5' },
      cause,
    }),
    pagesNotBuilt: () =>
      'Die Seiten der Verwaltung sind nicht gebaut; bitte „npm run build“ ausführen und den Dienst neu starten.',
  }),
  ...createFailures(507, {
    storageFull: (cause: unknown) => ({
      sentence: 'Der Speicherplatz des Dienstes ist erschöpft; nichts wurde gespeichert.',
      cause,
    }),
    databaseFull: (cause: unknown) => ({
      sentence:
        'Auf der Platte des Dienstes ist kein Platz mehr; nichts wurde geändert, bitte dort Platz schaffen.',
      cause,
    }),
  }),
}
