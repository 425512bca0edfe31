/** Errors of uploads: content that cannot be stored, limits of tokens, and the tus protocol. */
import { formatBytes } from '../contract/values/bytes.ts'
import { createFailures } from './failure.ts'

/** Errors of uploads that exceed the limits of their token. */
export const tokenLimitFailures = {
  ...createFailures(403, {
    prefixForbidden: (prefix: string) => `Dieses Token darf nur unter „${prefix}“ schreiben.`,
    kindForbidden: (kind: string, allowedKinds: readonly string[]) =>
      `Dieses Token darf keine Datei der Art „${kind}“ speichern, nur: ${allowedKinds.join(', ')}.`,
  }),
  ...createFailures(413, {
    tokenFileTooLarge: (limit: number) =>
      `Die Datei ist größer als die ${formatBytes(limit)}, die dieses Token je Datei erlaubt.`,
    quotaExceeded: (bytes: { used: number; allowed: number; needed: number }) =>
      `Das Kontingent dieses Tokens reicht nicht: belegt sind ${formatBytes(bytes.used)}, erlaubt ${formatBytes(bytes.allowed)}, nötig wären weitere ${formatBytes(bytes.needed)}.`,
  }),
}

/** Refused requests of the tus protocol (resumable uploads). */
const tusFailures = {
  ...createFailures(400, {
    tusLengthInvalid: () =>
      'Der Kopf Upload-Length fehlt oder ist keine ganze Zahl größer als 0; die Länge muss am Anfang feststehen.',
    tusOffsetInvalid: () => 'Der Kopf Upload-Offset fehlt oder ist keine ganze Zahl.',
    tusMetadataInvalid: (reason: string) => `Der Kopf Upload-Metadata ist ungültig: ${reason}.`,
    tusChecksumUnknown: (knownAlgorithms: readonly string[]) =>
      `Der Kopf Upload-Checksum ist ungültig; verstanden werden nur: ${knownAlgorithms.join(', ')}.`,
  }),
  ...createFailures(404, {
    tusAbsent: () => 'Diesen Upload gibt es nicht oder nicht mehr; bitte von vorn beginnen.',
  }),
  ...createFailures(409, {
    tusOffsetDiffers: (offset: number) => ({
      sentence: `Der Kopf Upload-Offset passt nicht: angekommen sind bisher ${offset} Bytes.`,
      headers: { 'Upload-Offset': String(offset) },
    }),
  }),
  ...createFailures(410, {
    tusExpired: () => 'Dieser Upload ist abgelaufen; bitte von vorn beginnen.',
  }),
  ...createFailures(412, {
    tusVersionUnknown: (knownVersion: string) => ({
      sentence: `Der Kopf Tus-Resumable fehlt oder nennt eine andere Fassung als ${knownVersion}.`,
      headers: { 'Tus-Version': knownVersion },
    }),
  }),
  ...createFailures(413, {
    tusTooLong: () => 'Das Stück enthält mehr Bytes, als der Upload noch braucht.',
  }),
  ...createFailures(415, {
    tusTypeUnfit: (expectedType: string) =>
      `Ein Stück eines Uploads braucht den Content-Type ${expectedType}.`,
  }),
  ...createFailures(423, {
    tusLocked: () =>
      'An diesem Upload arbeitet gerade eine andere Anfrage; bitte gleich noch einmal versuchen.',
  }),
  ...createFailures(429, {
    tusTooMany: (limit: number) =>
      `Es gibt schon ${limit} unfertige Uploads; bitte erst einen davon beenden oder abbrechen.`,
  }),
  ...createFailures(460, {
    tusChecksumDiffers: () =>
      'Die Prüfsumme im Kopf Upload-Checksum passt nicht zu den gesendeten Bytes; das Stück wurde verworfen.',
  }),
}

export const uploadFailures = {
  ...tokenLimitFailures,
  ...tusFailures,
  ...createFailures(400, {
    fileEmpty: () => 'Die Datei ist leer.',
    pathListUnequal: () => 'Die Liste „pfade“ hat nicht genau einen Eintrag je Datei.',
    zipBroken: (cause?: unknown) => ({
      sentence: 'Das Archiv ist beschädigt oder kein ZIP; nichts davon wurde gespeichert.',
      cause,
    }),
    zipOverlapping: () =>
      'Das Archiv enthält Einträge, die sich denselben Inhalt teilen; nichts davon wurde gespeichert.',
    entryBroken: () => 'Der Eintrag ist beschädigt: Inhalt und Prüfsumme passen nicht zusammen.',
    entryEncrypted: () => 'Der Eintrag ist verschlüsselt.',
    entrySpecial: () => 'Der Eintrag ist keine gewöhnliche Datei, sondern eine Verknüpfung.',
    entryOfSystem: () => 'Der Eintrag wurde vom Betriebssystem beigelegt; er wird nicht gespeichert.',
    entryMethodUnknown: () => 'Der Eintrag ist auf eine Art gepackt, die hier nicht gelesen wird.',
  }),
  ...createFailures(404, {
    presignedUnknown: () =>
      'Vorab unterschriebene Adressen gibt es hier nicht; bitte die Datei direkt hochladen.',
    logsUnknown: () => 'Protokolle nimmt dieser Dienst nicht an, er speichert nur Dateien.',
  }),
  ...createFailures(409, {
    pathTaken: (path: string) => `Unter „${path}“ liegt schon eine Datei; sie wurde nicht überschrieben.`,
  }),
  ...createFailures(413, {
    tooManyFiles: (limit: number) =>
      `Es lassen sich höchstens ${limit} Dateien auf einmal senden; keine davon wurde gespeichert.`,
    uploadTooLarge: (limit: number) =>
      `Die Datei ist größer als die hier erlaubten ${formatBytes(limit)} (MAX_UPLOAD_MB).`,
    zipTooManyEntries: (limit: number) =>
      `Das Archiv hat mehr als die erlaubten ${limit} Einträge; nichts davon wurde gespeichert.`,
    zipTooLarge: (limit: number) =>
      `Das Archiv ist entpackt größer als die erlaubten ${formatBytes(limit)}; nichts davon wurde gespeichert.`,
    zipUnderstated: () =>
      'Das Archiv enthält mehr, als sein Verzeichnis angibt; nichts davon wurde gespeichert.',
  }),
  ...createFailures(415, {
    kindUnfit: (expectedKind: string, actualKind: string, mime: string) =>
      `Diese Adresse nimmt nur Dateien der Art „${expectedKind}“; die gesendete ist „${actualKind}“ (${mime}).`,
  }),
}
