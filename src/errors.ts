/**
 * The error catalogue: every code, its status and its German sentence. Nothing reaches a client that does
 * not stand here; `http/render.ts` turns an entry into an answer. Log line and cause stay inside.
 */
import { formatBytes } from './contract/bytes.ts'
import type { ReplaceConflict } from './contract/library.ts'

export class Failure extends Error {
  /** What the client is told beside the sentence. */
  readonly fields: Readonly<Record<string, unknown>>

  constructor(
    readonly code: string,
    readonly status: number,
    /** What the client reads. */
    readonly sentence: string,
    readonly headers: Readonly<Record<string, string>> = {},
    options: ErrorOptions & { fields?: Record<string, unknown> } = {},
  ) {
    super(sentence, options)
    this.name = 'Failure'
    this.fields = options.fields ?? {}
  }
}

const date = (at: number) => new Date(at).toLocaleString('de-DE', { dateStyle: 'long', timeStyle: 'short' })

export const failure = {
  // 400: the request itself is wrong
  pathInvalid: (why: string) => new Failure('path-invalid', 400, `Der Pfad ist ungültig: ${why}.`),
  bodyEmpty: () => new Failure('body-empty', 400, 'Die Anfrage enthält keine Datei: der Inhalt ist leer.'),
  bodyCut: () =>
    new Failure(
      'body-cut',
      400,
      'Die Übertragung brach ab, bevor die Datei vollständig war; nichts wurde gespeichert.',
    ),
  base64Broken: () => new Failure('base64-broken', 400, 'Der Inhalt ist kein gültiges Base64.'),
  formBroken: () =>
    new Failure('form-broken', 400, 'Das gesendete Formular ist unvollständig oder beschädigt.'),
  formTooComplex: () =>
    new Failure('form-too-complex', 400, 'Das gesendete Formular hat zu viele oder zu lange Felder.'),
  fileFieldMissing: (field: string) =>
    new Failure('file-field-missing', 400, `Im Formular fehlt das Dateifeld „${field}“.`),
  base64Missing: () => new Failure('base64-missing', 400, 'Der Anfrage fehlt das Textfeld „base64“.'),
  mimeInvalid: () => new Failure('mime-invalid', 400, 'Der Kopf X-Mime enthält keinen gültigen Medientyp.'),
  downscaleRefused: (edge: number) =>
    new Failure(
      'downscale-refused',
      400,
      `Das Bild ließ sich nicht auf die für dieses Token erlaubten ${edge} Pixel verkleinern; es ist beschädigt oder zu groß.`,
    ),
  pathMissing: () => new Failure('path-missing', 400, 'Es fehlt die Angabe des Pfads.'),
  jsonBroken: () => new Failure('json-broken', 400, 'Die Anfrage enthält kein gültiges JSON.'),
  /** `why` completes the sentence: „fehlt“, „muss ein Text sein“. */
  inputInvalid: (field: string, why: string) =>
    new Failure('input-invalid', 400, `${field === '' ? 'Die Anfrage' : `Das Feld „${field}“`} ${why}.`),
  folderIntoItself: () =>
    new Failure('folder-into-itself', 400, 'Ein Ordner lässt sich nicht in sich selbst verschieben.'),
  folderUnfit: (path: string, why: string) =>
    new Failure(
      'folder-unfit',
      400,
      `Der Ordner bleibt, wo er ist, denn der neue Pfad „${path}“ wäre ungültig: ${why}.`,
    ),
  expressionInvalid: () =>
    new Failure('expression-invalid', 400, 'Das Feld „suche“ ist kein gültiger regulärer Ausdruck (RE2).'),
  expressionTooSlow: () =>
    new Failure(
      'expression-too-slow',
      400,
      'Dieser reguläre Ausdruck ist für so viele Dateien zu aufwendig; bitte auf einen Ordner eingrenzen.',
    ),
  tooManyHits: (limit: number) =>
    new Failure(
      'too-many-hits',
      400,
      `Das träfe mehr als ${limit} Dateien; bitte die Suche auf einen Ordner eingrenzen.`,
    ),
  pathListUnequal: () =>
    new Failure('path-list-unequal', 400, 'Die Liste „pfade“ hat nicht genau einen Eintrag je Datei.'),
  fileEmpty: () => new Failure('file-empty', 400, 'Die Datei ist leer.'),
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
  fetchAddressBroken: () =>
    new Failure('fetch-address-broken', 400, 'Das ist keine vollständige Webadresse.'),
  fetchScheme: () =>
    new Failure('fetch-scheme', 400, 'Von dort wird nichts geholt: nur http und https sind erlaubt.'),
  fetchPort: (allowed: readonly number[]) =>
    new Failure(
      'fetch-port',
      400,
      `Von dort wird nichts geholt: nur die Ports ${allowed.join(' und ')} sind erlaubt.`,
    ),
  fetchCredentials: () =>
    new Failure(
      'fetch-credentials',
      400,
      'Von dort wird nichts geholt: die Adresse enthält einen Benutzernamen oder ein Passwort.',
    ),
  /** `where` completes the sentence: „in ein privates Netz“. */
  fetchNetwork: (host: string, where: string) =>
    new Failure('fetch-network', 400, `Von dort wird nichts geholt: „${host}“ führt ${where}.`),

  /** `why` completes the sentence. */
  settingInvalid: (name: string, why: string) =>
    new Failure('setting-invalid', 400, `Die Einstellung ${name} ${why}.`),
  settingUnknown: (name: string) =>
    new Failure('setting-unknown', 400, `Die Einstellung „${name.slice(0, 50)}“ gibt es nicht.`),

  // 401 and 403: who asks, and what they may
  tokenMissing: () =>
    new Failure('token-missing', 401, 'Es fehlt ein gültiges Token.', { 'WWW-Authenticate': 'Bearer' }),
  tokenExpired: (at: number) =>
    new Failure('token-expired', 401, `Das Token ist am ${date(at)} Uhr abgelaufen.`, {
      'WWW-Authenticate': 'Bearer error="invalid_token"',
    }),
  prefixForbidden: (prefix: string) =>
    new Failure('prefix-forbidden', 403, `Dieses Token darf nur unter „${prefix}“ schreiben.`),
  deleteForbidden: () => new Failure('delete-forbidden', 403, 'Dieses Token darf keine Dateien löschen.'),
  deleteOutsidePrefix: (prefix: string) =>
    new Failure('delete-outside-prefix', 403, `Dieses Token darf nur unter „${prefix}“ löschen.`),
  kindForbidden: (kind: string, allowed: readonly string[]) =>
    new Failure(
      'kind-forbidden',
      403,
      `Dieses Token darf keine Datei der Art „${kind}“ speichern, nur: ${allowed.join(', ')}.`,
    ),
  sessionMissing: () =>
    new Failure('session-missing', 401, 'Dafür ist eine Anmeldung nötig; es besteht keine gültige Sitzung.'),
  loginWrong: () => new Failure('login-wrong', 401, 'Der Benutzername oder das Passwort ist falsch.'),
  crossSite: () =>
    new Failure(
      'cross-site',
      403,
      'Diese Anfrage kommt von einer anderen Website und wurde nicht ausgeführt.',
    ),
  setupCodeWrong: () =>
    new Failure(
      'setup-code-wrong',
      403,
      'Der Einrichtungscode ist falsch; er steht im Protokoll des Dienstes.',
    ),
  passwordWrong: () => new Failure('password-wrong', 403, 'Das bisherige Passwort ist falsch.'),

  // 404 to 416: what was asked for
  routeUnknown: () => new Failure('route-unknown', 404, 'Diese Adresse gibt es hier nicht.'),
  tokenAbsent: () => new Failure('token-absent', 404, 'Dieses Token gibt es nicht.'),
  presignedUnknown: () =>
    new Failure(
      'presigned-unknown',
      404,
      'Vorab unterschriebene Adressen gibt es hier nicht; bitte die Datei direkt hochladen.',
    ),
  folderAbsent: () => new Failure('folder-absent', 404, 'Diesen Ordner gibt es nicht.'),
  fileAbsent: () => new Failure('file-absent', 404, 'Unter dieser Adresse liegt keine Datei.'),
  previewAbsent: () => new Failure('preview-absent', 404, 'Zu dieser Datei gibt es keine Vorschau.'),
  trashEntryAbsent: (nr: number) =>
    new Failure('trash-entry-absent', 404, `Im Papierkorb gibt es keinen Eintrag mit der Nummer ${nr}.`),
  shareAbsent: () => new Failure('share-absent', 404, 'Diese Freigabe gibt es nicht oder nicht mehr.'),
  accountAbsent: () => new Failure('account-absent', 404, 'Dieses Benutzerkonto gibt es nicht.'),
  methodUnknown: (allowed: readonly string[]) =>
    new Failure('method-unknown', 405, `Diese Adresse kennt nur ${allowed.join(', ')}.`, {
      Allow: allowed.join(', '),
    }),
  pathTaken: (path: string) =>
    new Failure('path-taken', 409, `Unter „${path}“ liegt schon eine Datei; sie wurde nicht überschrieben.`),
  pathRepeated: (path: string) =>
    new Failure(
      'path-repeated',
      409,
      `„${path}“ kommt in dieser Sendung mehrmals vor; gespeichert wird nur die erste Datei.`,
    ),
  pathShared: (path: string) =>
    new Failure('path-shared', 409, `Mehrere Dateien bekämen den gleichen Pfad „${path}“.`),
  alreadyThere: () => new Failure('already-there', 409, 'Die Datei liegt schon in diesem Ordner.'),
  foldersCollide: (path: string) =>
    new Failure(
      'folders-collide',
      409,
      `Der Ordner bleibt, wo er ist, denn unter „${path}“ liegt schon eine Datei.`,
    ),
  replaceConflicts: (konflikte: readonly ReplaceConflict[]) =>
    new Failure(
      'replace-conflicts',
      409,
      konflikte.length === 1
        ? 'Nichts wurde umbenannt, denn bei einer Datei gibt es einen Konflikt.'
        : `Nichts wurde umbenannt, denn bei ${konflikte.length} Dateien gibt es Konflikte.`,
      {},
      { fields: { konflikte } },
    ),
  sweepRunning: () =>
    new Failure(
      'sweep-running',
      409,
      'Ablage und Datenbank werden gerade abgeglichen; bitte gleich erneut versuchen.',
      { 'Retry-After': '30' },
    ),
  setupDone: () =>
    new Failure('setup-done', 409, 'Die Einrichtung ist schon abgeschlossen; bitte regulär anmelden.'),
  accountTaken: (name: string) =>
    new Failure('account-taken', 409, `Ein Benutzerkonto mit dem Namen „${name}“ gibt es schon.`),
  lastAccount: () => new Failure('last-account', 409, 'Das letzte Benutzerkonto kann nicht gelöscht werden.'),
  jsonTooLarge: (limit: number) =>
    new Failure('json-too-large', 413, `Die Anfrage ist größer als die erlaubten ${formatBytes(limit)}.`),
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
  tooManyFiles: (limit: number) =>
    new Failure(
      'too-many-files',
      413,
      `Es lassen sich höchstens ${limit} Dateien auf einmal senden; keine davon wurde gespeichert.`,
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
  kindUnfit: (wanted: string, found: string, mime: string) =>
    new Failure(
      'kind-unfit',
      415,
      `Diese Adresse nimmt nur Dateien der Art „${wanted}“; die gesendete ist „${found}“ (${mime}).`,
    ),
  rangeUnsatisfiable: (size: number) =>
    new Failure('range-unsatisfiable', 416, 'Der verlangte Abschnitt liegt außerhalb der Datei.', {
      'Content-Range': `bytes */${size}`,
    }),

  // 429: too often
  loginLocked: (seconds: number) =>
    new Failure(
      'login-locked',
      429,
      `Nach zu vielen Fehlversuchen ist die Anmeldung gesperrt, noch ${seconds} ${seconds === 1 ? 'Sekunde' : 'Sekunden'}.`,
      { 'Retry-After': String(seconds) },
    ),
  loginsCrowded: () =>
    new Failure(
      'logins-crowded',
      429,
      'Der Dienst prüft gerade zu viele Anmeldungen; bitte gleich erneut versuchen.',
      { 'Retry-After': '5' },
    ),

  streamsCrowded: (most: number) =>
    new Failure(
      'streams-crowded',
      429,
      `Diese Sitzung hat schon ${most} offene Verbindungen für Ereignisse; bitte ein Fenster schließen.`,
      { 'Retry-After': '30' },
    ),

  // 5xx: our side
  unexpected: (reference: string, cause: unknown) =>
    new Failure(
      'unexpected',
      500,
      `Im Dienst ist ein unerwarteter Fehler aufgetreten (Nummer ${reference}).`,
      {},
      { cause },
    ),
  // 502 and 504: the other side, when a file is fetched from an address
  sourceUnresolved: (host: string, cause: unknown) =>
    new Failure('source-unresolved', 502, `Der Name „${host}“ lässt sich nicht auflösen.`, {}, { cause }),
  sourceUnreachable: (host: string, cause: unknown) =>
    new Failure('source-unreachable', 502, `Mit „${host}“ kam keine Verbindung zustande.`, {}, { cause }),
  sourceUntrusted: (host: string, cause: unknown) =>
    new Failure(
      'source-untrusted',
      502,
      `Mit „${host}“ kam keine gesicherte Verbindung zustande: das Zertifikat oder die Verschlüsselung ist ungültig.`,
      {},
      { cause },
    ),
  sourceMalformed: (cause: unknown) =>
    new Failure('source-malformed', 502, 'Die Quelle antwortet mit ungültigem HTTP.', {}, { cause }),
  sourceStatus: (status: number) =>
    new Failure('source-status', 502, `Die Quelle antwortet mit dem Status ${status} statt mit einer Datei.`),
  sourceRedirects: (limit: number) =>
    new Failure('source-redirects', 502, `Die Quelle leitet mehr als ${limit} Mal weiter.`),
  sourceEncoded: () =>
    new Failure(
      'source-encoded',
      502,
      'Die Quelle schickt die Datei gepackt, obwohl sie unverändert verlangt war.',
    ),
  sourceCut: (cause: unknown) =>
    new Failure(
      'source-cut',
      502,
      'Die Quelle brach die Übertragung ab; nichts wurde gespeichert.',
      {},
      { cause },
    ),
  sourceEmpty: () => new Failure('source-empty', 502, 'Die Quelle liefert eine leere Datei.'),
  sourcePage: (extension: string) =>
    new Failure(
      'source-page',
      502,
      `Die Quelle liefert eine HTML-Seite statt der Datei mit der Endung „${extension}“.`,
    ),
  sourceTooSlow: () =>
    new Failure('source-too-slow', 504, 'Die Quelle antwortet zu langsam; nichts wurde gespeichert.'),
  storageFull: (cause: unknown) =>
    new Failure(
      'storage-full',
      507,
      'Der Speicherplatz des Dienstes ist erschöpft; nichts wurde gespeichert.',
      {},
      { cause },
    ),
} as const
