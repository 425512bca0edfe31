/** Errors about the form of a request: its head, address, body and fields. */
import { formatBytes } from '../contract/values/bytes.ts'
import { createFailures } from './failure.ts'

export const requestFailures = {
  ...createFailures(400, {
    pathInvalid: (reason: string) => `Der Pfad ist ungültig: ${reason}.`,
    pathMissing: () => 'Es fehlt die Angabe des Pfads.',
    bodyEmpty: () => 'Die Anfrage enthält keine Datei: der Inhalt ist leer.',
    bodyCut: () => 'Die Übertragung brach ab, bevor die Datei vollständig war; nichts wurde gespeichert.',
    base64Broken: () => 'Der Inhalt ist kein gültiges Base64.',
    base64Missing: () => 'Der Anfrage fehlt das Textfeld „base64“.',
    formExpected: () =>
      'Diese Adresse erwartet ein Formular (multipart/form-data) und keinen anderen Inhalt.',
    formBroken: () => 'Das gesendete Formular ist unvollständig oder beschädigt.',
    formTooComplex: () => 'Das gesendete Formular hat zu viele oder zu lange Felder.',
    fileFieldMissing: (field: string) => `Im Formular fehlt das Dateifeld „${field}“.`,
    fileNameMissing: (field: string) =>
      `Das Formularfeld „${field}“ hat keinen Dateinamen und gilt deshalb nicht als Datei.`,
    digestDiffers: (header: string) =>
      `Die Prüfsumme im Kopf ${header} passt nicht zu den gesendeten Bytes; nichts wurde gespeichert.`,
    mimeInvalid: () => 'Der Kopf X-Mime enthält keinen gültigen Medientyp.',
    requestMalformed: () => 'Die Anfrage ist kein gültiges HTTP.',
    chunksBroken: () =>
      'Der Inhalt der Anfrage ist nicht richtig in Stücke geteilt (Transfer-Encoding: chunked); nichts wurde gespeichert.',
    jsonBroken: () => 'Die Anfrage enthält kein gültiges JSON.',
    /** `reason` ends the sentence, for example „fehlt“ or „muss ein Text sein“. */
    inputInvalid: (field: string, reason: string) =>
      `${field === '' ? 'Die Anfrage' : `Das Feld „${field}“`} ${reason}.`,
  }),
  ...createFailures(404, {
    routeUnknown: () => 'Diese Adresse gibt es hier nicht.',
  }),
  ...createFailures(405, {
    methodUnknown: (allowedMethods: readonly string[]) => ({
      sentence: `Diese Adresse kennt nur ${allowedMethods.join(', ')}.`,
      headers: {
        Allow: allowedMethods.join(', '),
      },
    }),
  }),
  ...createFailures(408, {
    requestSlow: () => 'Die Anfrage kam zu langsam oder gar nicht weiter; nichts wurde gespeichert.',
  }),
  ...createFailures(412, {
    preconditionFailed: () => 'Die Datei ist nicht mehr die, nach der gefragt wurde.',
  }),
  ...createFailures(413, {
    jsonTooLarge: (limit: number) => `Die Anfrage ist größer als die erlaubten ${formatBytes(limit)}.`,
    jsonAroundTooLarge: (member: string, limit: number) =>
      `Was die Anfrage neben dem Feld „${member}“ enthält, ist größer als die erlaubten ${formatBytes(limit)}.`,
  }),
  ...createFailures(415, {
    /** RFC 9110 section 15.5.16: the response names the encoding that would be accepted. */
    bodyEncoded: () => ({
      sentence: 'Der Inhalt ist gepackt (Content-Encoding); hier werden nur ungepackte Dateien angenommen.',
      headers: { 'Accept-Encoding': 'identity' },
    }),
  }),
  ...createFailures(416, {
    rangeUnsatisfiable: (size: number) => ({
      sentence: 'Der verlangte Abschnitt liegt außerhalb der Datei.',
      headers: { 'Content-Range': `bytes */${size}` },
    }),
  }),
  ...createFailures(431, {
    headTooLarge: () => 'Die Anfrage hat zu viele oder zu lange Kopfzeilen.',
  }),
  ...createFailures(501, {
    methodNotImplemented: (knownMethods: readonly string[]) =>
      `Die Methode dieser Anfrage ist unbekannt; der Dienst kennt ${knownMethods.join(', ')}.`,
  }),
  ...createFailures(505, {
    versionUnknown: () => 'Hier wird nur HTTP/1.1 und HTTP/1.0 gesprochen.',
  }),
}
