/**
 * Texts of the API document that belong to no single route, in German, and the UI texts of its page in both
 * languages.
 */
import { z } from 'zod'
import { ERROR_CODE_HEADER } from '../service/error-headers.ts'
import { ownValue } from '../values/own-value.ts'

export const API_TITLE = 'Fundus'
export const API_DESCRIPTION =
  'Ein eigener Medienhost: eine Datei liegt unter dem Pfad, den ihr Absender gewählt hat, und ist dort öffentlich lesbar. Größen sind Bytes, Zeiten Millisekunden seit 1970 (UTC).'

/** The JSON body of an error response. Some errors have further fields. */
export const errorAnswer = z.object({
  error: z.string().meta({ description: 'Ein deutscher Satz, der sagt, was nicht ging.' }),
})

export const ACCESS_TEXTS = {
  open: 'für alle',
  token: 'mit Token: Authorization: Bearer <Token>',
  key: 'mit Token: als Authorization (mit oder ohne Bearer) oder als ?apiKey=',
  ticket: 'mit einem Ticket: sein Schlüssel steht in der Adresse',
  visitor: 'ohne Anmeldung, aber nicht von fremden Websites aus',
  session: 'mit Anmeldung im Dashboard (Cookie)',
} as const

export const API_TAGS = {
  content: 'Dateien lesen',
  open: 'Öffentlich',
  token: 'Mit Token',
  ticket: 'Mit Ticket',
  key: 'Kompatibilität',
} as const

/** The tag of a dashboard route in the API document, by the first path segment after `/api/dash/`. */
const DASHBOARD_TAGS: Readonly<Record<string, string>> = {
  einrichtung: 'Anmeldung',
  login: 'Anmeldung',
  logout: 'Anmeldung',
  ich: 'Anmeldung',
  passwort: 'Anmeldung',
  benutzer: 'Anmeldung',
  totp: 'Anmeldung',
  passkeys: 'Anmeldung',
  media: 'Dateien',
  folders: 'Dateien',
  upload: 'Dateien',
  'upload-url': 'Dateien',
  fehlende: 'Dateien',
  export: 'Dateien',
  papierkorb: 'Papierkorb',
  freigaben: 'Freigaben',
  abgaben: 'Freigaben',
  tokens: 'Tokens',
  verlauf: 'Verlauf',
  verwaltung: 'Verlauf',
  einstellungen: 'Einstellungen',
  uebersicht: 'Betrieb',
  ereignisse: 'Betrieb',
  sicherung: 'Betrieb',
  maintenance: 'Betrieb',
  webhook: 'Betrieb',
}
export const dashboardTag = (pathSegment: string) =>
  `Dashboard: ${ownValue(DASHBOARD_TAGS, pathSegment) ?? 'Weiteres'}`

export const API_TEXTS = {
  access: 'Zugang',
  parameters: 'Angaben',
  body: 'Inhalt',
  answer: 'Antwort',
  error: 'Fehler',
  errorText: `jeder andere Status: {"error": "…"} mit einem deutschen Satz, im Kopf ${ERROR_CODE_HEADER} ein Wort für Programme`,
  errorCode:
    'Ein gleichbleibendes englisches Wort für diesen Fehler, etwa „token-missing“; Sätze können sich ändern.',
  optional: 'freiwillig',
  required: 'nötig',
  parameterLocations: { path: 'Pfad', query: 'Adresse', header: 'Kopf' } as Readonly<Record<string, string>>,
  machineReadable: 'Dieselbe Beschreibung für Programme (OpenAPI 3.1)',
  multiSegmentNote: 'Darf Schrägstriche enthalten.',
}

/** The UI texts of the page that shows the API document, in both languages. */
export const API_PAGE_TEXTS = {
  de: {
    access: ACCESS_TEXTS as Readonly<Record<keyof typeof ACCESS_TEXTS, string>>,
    api: API_TEXTS,
    tryIt: 'Ausprobieren',
    send: 'Senden',
    token: 'Token für diese Seite (wird nirgends gespeichert)',
    body: 'Inhalt',
    bytes: 'Byte',
    otherLanguage: 'In English',
  },
  en: {
    access: {
      open: 'for everybody',
      token: 'with a token: Authorization: Bearer <token>',
      key: 'with a token: as Authorization (with or without Bearer) or as ?apiKey=',
      ticket: 'with a ticket: its key is in the address',
      visitor: 'without a session, but not from other websites',
      session: 'with a session of the dashboard (cookie)',
    },
    api: {
      access: 'Access',
      parameters: 'Parameters',
      body: 'Content',
      answer: 'Answer',
      error: 'Error',
      errorText: `every other status: {"error": "…"} with a German sentence, in the header ${ERROR_CODE_HEADER} a word for programs`,
      optional: 'optional',
      required: 'required',
      parameterLocations: { path: 'path', query: 'address', header: 'header' },
      machineReadable: 'The same description for programs (OpenAPI 3.1)',
    },
    tryIt: 'Try it',
    send: 'Send',
    token: 'Token for this page (stored nowhere)',
    body: 'Content',
    bytes: 'bytes',
    otherLanguage: 'Auf Deutsch',
  },
} as const
export type ApiPageLanguage = keyof typeof API_PAGE_TEXTS
