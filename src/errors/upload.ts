/** Errors of content that cannot be stored: sizes, kinds, archives. */
import { formatBytes } from '../contract/bytes.ts'
import { Failure } from './failure.ts'

export const uploadFailures = {
  fileEmpty: () => new Failure('file-empty', 400, 'Die Datei ist leer.'),
  pathListUnequal: () =>
    new Failure('path-list-unequal', 400, 'Die Liste „pfade“ hat nicht genau einen Eintrag je Datei.'),
  tooManyFiles: (limit: number) =>
    new Failure(
      'too-many-files',
      413,
      `Es lassen sich höchstens ${limit} Dateien auf einmal senden; keine davon wurde gespeichert.`,
    ),
  uploadTooLarge: (limit: number) =>
    new Failure(
      'upload-too-large',
      413,
      `Die Datei ist größer als die hier erlaubten ${formatBytes(limit)} (MAX_UPLOAD_MB).`,
    ),
  tokenFileTooLarge: (limit: number) =>
    new Failure(
      'token-file-too-large',
      413,
      `Die Datei ist größer als die ${formatBytes(limit)}, die dieses Token je Datei erlaubt.`,
    ),
  quotaExceeded: (size: { held: number; allowed: number; needed: number }) =>
    new Failure(
      'quota-exceeded',
      413,
      `Das Kontingent dieses Tokens reicht nicht: belegt sind ${formatBytes(size.held)}, erlaubt ${formatBytes(size.allowed)}, nötig wären weitere ${formatBytes(size.needed)}.`,
    ),
  kindUnfit: (wanted: string, found: string, mime: string) =>
    new Failure(
      'kind-unfit',
      415,
      `Diese Adresse nimmt nur Dateien der Art „${wanted}“; die gesendete ist „${found}“ (${mime}).`,
    ),
  presignedUnknown: () =>
    new Failure(
      'presigned-unknown',
      404,
      'Vorab unterschriebene Adressen gibt es hier nicht; bitte die Datei direkt hochladen.',
    ),
  zipBroken: (cause?: unknown) =>
    new Failure(
      'zip-broken',
      400,
      'Das Archiv ist beschädigt oder kein ZIP; nichts davon wurde gespeichert.',
      {},
      { cause },
    ),
  zipOverlapping: () =>
    new Failure(
      'zip-overlapping',
      400,
      'Das Archiv enthält Einträge, die sich denselben Inhalt teilen; nichts davon wurde gespeichert.',
    ),
  zipTooManyEntries: (limit: number) =>
    new Failure(
      'zip-too-many-entries',
      413,
      `Das Archiv hat mehr als die erlaubten ${limit} Einträge; nichts davon wurde gespeichert.`,
    ),
  zipTooLarge: (limit: number) =>
    new Failure(
      'zip-too-large',
      413,
      `Das Archiv ist entpackt größer als die erlaubten ${formatBytes(limit)}; nichts davon wurde gespeichert.`,
    ),
  zipUnderstated: () =>
    new Failure(
      'zip-understated',
      413,
      'Das Archiv enthält mehr, als sein Verzeichnis angibt; nichts davon wurde gespeichert.',
    ),
  entryBroken: () =>
    new Failure(
      'entry-broken',
      400,
      'Der Eintrag ist beschädigt: Inhalt und Prüfsumme passen nicht zusammen.',
    ),
  entryEncrypted: () => new Failure('entry-encrypted', 400, 'Der Eintrag ist verschlüsselt.'),
  entrySpecial: () =>
    new Failure('entry-special', 400, 'Der Eintrag ist keine gewöhnliche Datei, sondern eine Verknüpfung.'),
  entryMethodUnknown: () =>
    new Failure(
      'entry-method-unknown',
      400,
      'Der Eintrag ist auf eine Art gepackt, die hier nicht gelesen wird.',
    ),
} as const
