/**
 * The error catalogue: every code, its status and its German sentence. Nothing reaches a client that does
 * not stand here; `http/render.ts` turns an entry into an answer. Log line and cause stay inside.
 */
import { formatBytes } from './contract/bytes.ts'

export class Failure extends Error {
  constructor(
    readonly code: string,
    readonly status: number,
    /** What the client reads. */
    readonly sentence: string,
    readonly headers: Readonly<Record<string, string>> = {},
    options?: ErrorOptions,
  ) {
    super(sentence, options)
    this.name = 'Failure'
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
  mimeInvalid: () => new Failure('mime-invalid', 400, 'Der Kopf X-Mime enthält keinen gültigen Medientyp.'),
  pathMissing: () => new Failure('path-missing', 400, 'Es fehlt die Angabe des Pfads.'),

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

  // 404 to 416: what was asked for
  routeUnknown: () => new Failure('route-unknown', 404, 'Diese Adresse gibt es hier nicht.'),
  fileAbsent: () => new Failure('file-absent', 404, 'Unter dieser Adresse liegt keine Datei.'),
  previewAbsent: () => new Failure('preview-absent', 404, 'Zu dieser Datei gibt es keine Vorschau.'),
  methodUnknown: (allowed: readonly string[]) =>
    new Failure('method-unknown', 405, `Diese Adresse kennt nur ${allowed.join(', ')}.`, {
      Allow: allowed.join(', '),
    }),
  pathTaken: (path: string) =>
    new Failure('path-taken', 409, `Unter „${path}“ liegt schon eine Datei; sie wurde nicht überschrieben.`),
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
  rangeUnsatisfiable: (size: number) =>
    new Failure('range-unsatisfiable', 416, 'Der verlangte Abschnitt liegt außerhalb der Datei.', {
      'Content-Range': `bytes */${size}`,
    }),

  // 5xx: our side
  unexpected: (reference: string, cause: unknown) =>
    new Failure(
      'unexpected',
      500,
      `Im Dienst ist ein unerwarteter Fehler aufgetreten (Nummer ${reference}).`,
      {},
      { cause },
    ),
  storageFull: (cause: unknown) =>
    new Failure(
      'storage-full',
      507,
      'Der Speicherplatz des Dienstes ist erschöpft; nichts wurde gespeichert.',
      {},
      { cause },
    ),
  stopping: () =>
    new Failure('stopping', 503, 'Der Dienst wird gerade beendet; bitte gleich erneut versuchen.', {
      'Retry-After': '5',
    }),
} as const
