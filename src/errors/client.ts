/** Errors of `push` and `import`. Most sentences also say what to do. */

import type { TextPair } from '../base/language.ts'
import { ownValue } from '../contract/values/own-value.ts'
import { bilingualParts, createErrors, type ErrorEntries } from './failure.ts'

export interface ClientTroubleOptions extends ErrorOptions {
  /** Whether the command ends, because every other file would fail in the same way. */
  endsCommand?: boolean
  /** Whether the service may be available again later; a command that watches a folder then continues. */
  isTemporary?: boolean
}

export class ClientTrouble extends Error {
  readonly endsCommand: boolean
  readonly isTemporary: boolean
  constructor(
    readonly sentence: string,
    readonly english: string,
    { endsCommand = false, isTemporary = false, ...options }: ClientTroubleOptions = {},
  ) {
    super(sentence, options)
    this.name = 'ClientTrouble'
    this.endsCommand = endsCommand
    this.isTemporary = isTemporary
  }
}

const CONNECTION_REFUSED_TEXT: TextPair = [
  'dort nimmt niemand Verbindungen an',
  'nobody accepts connections there',
]
const UNKNOWN_NAME_TEXT: TextPair = ['diesen Namen gibt es nicht', 'there is no such name']
const CONNECTION_LOST_TEXT: TextPair = ['die Verbindung brach ab', 'the connection broke']
const UNTRUSTED_CERTIFICATE_TEXT: TextPair = [
  'das Zertifikat hat niemand bestätigt',
  'nobody has confirmed its certificate',
]

const CONNECTION_ERROR_TEXTS: Readonly<Record<string, TextPair>> = {
  ConnectionRefused: CONNECTION_REFUSED_TEXT,
  ECONNREFUSED: CONNECTION_REFUSED_TEXT,
  ENOTFOUND: UNKNOWN_NAME_TEXT,
  FailedToOpenSocket: [
    'diesen Namen gibt es nicht, oder der Weg dorthin ist versperrt',
    'there is no such name, or the way there is blocked',
  ],
  ConnectionClosed: CONNECTION_LOST_TEXT,
  ECONNRESET: CONNECTION_LOST_TEXT,
  EPROTO: ['dort spricht niemand TLS', 'nobody speaks TLS there'],
  TimeoutError: ['es kam zu lange keine Antwort', 'there was no answer for too long'],
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED_CERTIFICATE_TEXT,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED_CERTIFICATE_TEXT,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED_CERTIFICATE_TEXT,
  ERR_TLS_CERT_ALTNAME_INVALID: [
    'das Zertifikat gehört zu einem anderen Namen',
    'the certificate belongs to another name',
  ],
  CERT_HAS_EXPIRED: ['das Zertifikat ist abgelaufen', 'the certificate has expired'],
}

/** Whether a request to an `https://` address failed because the answer was not TLS. */
export const isMissingTlsError = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'EPROTO'

/**
 * Why a connection failed, in German and English: a known clause, otherwise the code or name of the error, or
 * „unbekannter Fehler“.
 */
function connectionReason(error: unknown): TextPair {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const name = error instanceof Error ? error.name : ''
  return (
    ownValue(CONNECTION_ERROR_TEXTS, code) ??
    ownValue(CONNECTION_ERROR_TEXTS, name) ??
    untranslatedText(code || name)
  )
}

const untranslatedText = (codeOrName: string): TextPair =>
  codeOrName === '' ? ['unbekannter Fehler', 'unknown error'] : [codeOrName, codeOrName]

const NO_PERMISSION_TEXT: TextPair = ['sie darf nicht gelesen werden', 'it may not be read']

const READ_ERROR_TEXTS: Readonly<Record<string, TextPair>> = {
  ENOENT: ['es gibt sie nicht mehr', 'it is no longer there'],
  EACCES: NO_PERMISSION_TEXT,
  EPERM: NO_PERMISSION_TEXT,
  EBUSY: ['ein anderes Programm hält sie fest', 'another program holds it'],
}

/** Options of errors that end the command unless it watches a folder, because the service may recover. */
const ENDS_COMMAND_UNLESS_WATCHING = { endsCommand: true, isTemporary: true }
/** Options of errors that end the command, because every file would fail. */
const ENDS_COMMAND = { endsCommand: true }
/** Options of errors after which the command goes on with the next file. */
const CONTINUES_WITH_NEXT_FILE = {}

const createClientErrors = <E extends ErrorEntries>(options: ClientTroubleOptions, entries: E) =>
  createErrors(
    entries,
    (_, { sentence, english = sentence, cause }) =>
      new ClientTrouble(sentence, english, { ...options, cause }),
  )

/**
 * Errors of commands that talk to a service: failed requests, and local files that cannot be read. The
 * parameter `answer` is the error message of the service, in both languages.
 */
export const clientErrors = {
  ...createClientErrors(ENDS_COMMAND_UNLESS_WATCHING, {
    unreachable: (origin: string, cause: unknown) => {
      const [german, english] = connectionReason(cause)
      return bilingualParts(
        `${origin} ist nicht erreichbar: ${german}. Bitte die Adresse prüfen, und ob der Dienst läuft; ein neuer Start macht dort weiter, wo dieser aufhörte.`,
        `${origin} cannot be reached: ${english}. Please check the address, and whether the service runs; a new start goes on where this one stopped.`,
        cause,
      )
    },
    overloaded: (origin: string, answer: TextPair) =>
      bilingualParts(
        `${origin} antwortet auch nach mehreren Versuchen nicht richtig: ${answer[0]} Bitte später noch einmal starten; es geht dort weiter, wo dieser Lauf aufhörte.`,
        `${origin} does not answer properly, even after several attempts: ${answer[1]} Please start again later; it goes on where this run stopped.`,
      ),
  }),
  ...createClientErrors(ENDS_COMMAND, {
    noTls: (origin: string) =>
      bilingualParts(
        `${origin} spricht kein TLS, also kein https. Bitte die Adresse mit http:// angeben, oder den Port, auf dem https angeboten wird.`,
        `${origin} does not speak TLS, so no https. Please give the address with http://, or the port that offers https.`,
      ),
    notFundus: (origin: string, status: number) =>
      bilingualParts(
        `${origin} antwortet nicht wie ein Fundus (Status ${status}). Bitte die Adresse prüfen: gemeint ist die des Dienstes, ohne /f/ oder /api/.`,
        `${origin} does not answer like a Fundus (status ${status}). Please check the address: it is that of the service, without /f/ or /api/.`,
      ),
    redirected: (origin: string, newAddress: string) =>
      bilingualParts(
        `${origin} leitet nach ${newAddress} um. Bitte diese Adresse angeben.`,
        `${origin} redirects to ${newAddress}. Please give that address.`,
      ),
    tokenRefused: (answer: TextPair) =>
      bilingualParts(
        `${answer[0]} Bitte --token oder FUNDUS_TOKEN prüfen; ein neues Token macht dort „fundus token create“ oder die Verwaltung.`,
        `${answer[1]} Please check --token or FUNDUS_TOKEN; “fundus token create” or the dashboard there makes a new token.`,
      ),
    prefixForbidden: (answer: TextPair, path: string) =>
      bilingualParts(
        `${answer[0]} Der gewünschte Pfad war „${path}“; bitte das Ziel so wählen, dass es unter dem Präfix liegt, oder ein anderes Token nehmen.`,
        `${answer[1]} The path was to be “${path}”; please choose a target below the prefix, or take another token.`,
      ),
    quotaReached: (answer: TextPair) =>
      bilingualParts(
        `${answer[0]} Bitte das Kontingent erhöhen oder Dateien dieses Tokens löschen und dann noch einmal starten; es geht dort weiter.`,
        `${answer[1]} Please raise the quota or delete files of this token, and start again; it goes on from there.`,
      ),
    serviceFull: (answer: TextPair) =>
      bilingualParts(
        `${answer[0]} Bitte dort Platz schaffen und dann noch einmal starten.`,
        `${answer[1]} Please free some space there, and start again.`,
      ),
    folderAbsent: (folder: string) =>
      bilingualParts(
        `Den Ordner „${folder}“ gibt es nicht, oder er darf nicht gelesen werden.`,
        `The folder “${folder}” does not exist, or may not be read.`,
      ),
    listRefused: (address: string, status: number) =>
      bilingualParts(
        `Die Liste unter ${address} wird mit dem Status ${status} beantwortet. Bitte Adresse und Schlüssel (--header) prüfen; für einen anderen Fundus ist --user nötig.`,
        `The list at ${address} is answered with the status ${status}. Please check address and key (--header); another Fundus needs --user.`,
      ),
    loginRefused: (origin: string, answer: TextPair) =>
      bilingualParts(
        `${origin}: ${answer[0]} Bitte --user und das Passwort prüfen.`,
        `${origin}: ${answer[1]} Please check --user and the password.`,
      ),
  }),
  ...createClientErrors(CONTINUES_WITH_NEXT_FILE, {
    refused: (answer: TextPair) => bilingualParts(...answer),
    refusedByProxy: (status: number) => {
      const proxyHint = status === 413 ? ' (nginx: client_max_body_size)' : ''
      return bilingualParts(
        `Die Antwort hat den Status ${status} und kommt nicht vom Dienst, sondern wohl von einem Proxy davor${proxyHint}.`,
        `The answer has the status ${status} and does not come from the service, but probably from a proxy before it${proxyHint}.`,
      )
    },
    altered: () =>
      bilingualParts(
        'Die Datei kam anders an, als sie hier liegt; wahrscheinlich wurde sie gerade geändert. Bitte noch einmal starten.',
        'The file arrived other than it is here; probably it was just being changed. Please start again.',
      ),
    changing: () =>
      bilingualParts(
        'Die Datei wurde geändert, während sie gesendet wurde. Bitte noch einmal starten.',
        'The file was changed while it was being sent. Please start again.',
      ),
    unreadable: (cause: unknown) => {
      const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
      const [german, english] = ownValue(READ_ERROR_TEXTS, code) ?? untranslatedText(code)
      return bilingualParts(
        `Die Datei lässt sich nicht lesen: ${german}.`,
        `The file cannot be read: ${english}.`,
        cause,
      )
    },
    sourceUnreachable: (cause: unknown) => {
      const [german, english] = connectionReason(cause)
      return bilingualParts(
        `Die Quelle ist nicht erreichbar: ${german}.`,
        `The source cannot be reached: ${english}.`,
        cause,
      )
    },
    sourceRefuses: (status: number) =>
      bilingualParts(
        `Die Quelle antwortet mit dem Status ${status}.`,
        `The source answers with the status ${status}.`,
      ),
    sourceDiffers: () =>
      bilingualParts(
        'Die Quelle liefert etwas anderes, als ihre Liste sagt (andere Prüfsumme).',
        'The source sends something other than its list says (another checksum).',
      ),
    sourceEmpty: () =>
      bilingualParts('Die Quelle liefert eine leere Datei.', 'The source sends an empty file.'),
    pathTaken: (path: string) =>
      bilingualParts(
        `Unter „${path}“ liegt schon etwas anderes; --overwrite ersetzt es.`,
        `There is something else at “${path}” already; --overwrite replaces it.`,
      ),
  }),
}
