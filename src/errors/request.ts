/** Errors that any request can have, whatever its route. */
import { formatBytes } from '../contract/bytes.ts'
import { Failure } from './failure.ts'

export const requestFailures = {
  pathInvalid: (why: string) => new Failure('path-invalid', 400, `Der Pfad ist ungültig: ${why}.`),
  pathMissing: () => new Failure('path-missing', 400, 'Es fehlt die Angabe des Pfads.'),
  bodyEmpty: () => new Failure('body-empty', 400, 'Die Anfrage enthält keine Datei: der Inhalt ist leer.'),
  bodyCut: () =>
    new Failure(
      'body-cut',
      400,
      'Die Übertragung brach ab, bevor die Datei vollständig war; nichts wurde gespeichert.',
    ),
  /** RFC 9110 section 15.5.16: the response says which encoding would be accepted. */
  bodyEncoded: () =>
    new Failure(
      'body-encoded',
      415,
      'Der Inhalt ist gepackt (Content-Encoding); hier werden nur ungepackte Dateien angenommen.',
      { 'Accept-Encoding': 'identity' },
    ),
  base64Broken: () => new Failure('base64-broken', 400, 'Der Inhalt ist kein gültiges Base64.'),
  base64Missing: () => new Failure('base64-missing', 400, 'Der Anfrage fehlt das Textfeld „base64“.'),
  formBroken: () =>
    new Failure('form-broken', 400, 'Das gesendete Formular ist unvollständig oder beschädigt.'),
  formTooComplex: () =>
    new Failure('form-too-complex', 400, 'Das gesendete Formular hat zu viele oder zu lange Felder.'),
  fileFieldMissing: (field: string) =>
    new Failure('file-field-missing', 400, `Im Formular fehlt das Dateifeld „${field}“.`),
  fileNameMissing: (field: string) =>
    new Failure(
      'file-name-missing',
      400,
      `Das Formularfeld „${field}“ hat keinen Dateinamen und gilt deshalb nicht als Datei.`,
    ),
  mimeInvalid: () => new Failure('mime-invalid', 400, 'Der Kopf X-Mime enthält keinen gültigen Medientyp.'),
  jsonBroken: () => new Failure('json-broken', 400, 'Die Anfrage enthält kein gültiges JSON.'),
  jsonTooLarge: (limit: number) =>
    new Failure('json-too-large', 413, `Die Anfrage ist größer als die erlaubten ${formatBytes(limit)}.`),
  jsonAroundTooLarge: (member: string, limit: number) =>
    new Failure(
      'json-around-too-large',
      413,
      `Was die Anfrage neben dem Feld „${member}“ enthält, ist größer als die erlaubten ${formatBytes(limit)}.`,
    ),
  /** `why` completes the sentence: „fehlt“, „muss ein Text sein“. */
  inputInvalid: (field: string, why: string) =>
    new Failure('input-invalid', 400, `${field === '' ? 'Die Anfrage' : `Das Feld „${field}“`} ${why}.`),
  routeUnknown: () => new Failure('route-unknown', 404, 'Diese Adresse gibt es hier nicht.'),
  methodUnknown: (allowed: readonly string[]) =>
    new Failure('method-unknown', 405, `Diese Adresse kennt nur ${allowed.join(', ')}.`, {
      Allow: allowed.join(', '),
    }),
  rangeUnsatisfiable: (size: number) =>
    new Failure('range-unsatisfiable', 416, 'Der verlangte Abschnitt liegt außerhalb der Datei.', {
      'Content-Range': `bytes */${size}`,
    }),
} as const
