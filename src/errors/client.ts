/**
 * Errors of the commands that talk to a service over the network (`push`, `import`), as sentences for the person who
 * typed the command. Each says what happened and what to do.
 */
import { type Entries, written } from './failure.ts'

export interface ClientTroubleOptions extends ErrorOptions {
  /** Every further file would fail in the same way, so the command ends. */
  endsAll?: boolean
  /** The service may be back later; a command that follows a folder goes on. */
  passes?: boolean
}

export class ClientTrouble extends Error {
  readonly endsAll: boolean
  readonly passes: boolean
  constructor(
    readonly sentence: string,
    { endsAll = false, passes = false, ...options }: ClientTroubleOptions = {},
  ) {
    super(sentence, options)
    this.name = 'ClientTrouble'
    this.endsAll = endsAll
    this.passes = passes
  }
}

const CONNECTION_WORDS: Readonly<Record<string, string>> = {
  ConnectionRefused: 'dort nimmt niemand Verbindungen an',
  ECONNREFUSED: 'dort nimmt niemand Verbindungen an',
  ENOTFOUND: 'diesen Namen gibt es nicht',
  FailedToOpenSocket: 'diesen Namen gibt es nicht, oder der Weg dorthin ist versperrt',
  ConnectionClosed: 'die Verbindung brach ab',
  ECONNRESET: 'die Verbindung brach ab',
  TimeoutError: 'es kam zu lange keine Antwort',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'das Zertifikat hat niemand bestätigt',
  SELF_SIGNED_CERT_IN_CHAIN: 'das Zertifikat hat niemand bestätigt',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'das Zertifikat hat niemand bestätigt',
  ERR_TLS_CERT_ALTNAME_INVALID: 'das Zertifikat gehört zu einem anderen Namen',
  CERT_HAS_EXPIRED: 'das Zertifikat ist abgelaufen',
}

/** The runtime's error as a German clause, with the runtime's own word when there is no text for it. */
function connectionReason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const name = error instanceof Error ? error.name : ''
  return CONNECTION_WORDS[code] ?? CONNECTION_WORDS[name] ?? (code || name || 'unbekannter Fehler')
}

const READING_WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'es gibt sie nicht mehr',
  EACCES: 'sie darf nicht gelesen werden',
  EPERM: 'sie darf nicht gelesen werden',
  EBUSY: 'ein anderes Programm hält sie fest',
}

/** The service may be back later; nothing more can be done; or one file fails and the others go on. */
const AWAY = { endsAll: true, passes: true }
const HOPELESS = { endsAll: true }
const OF_ONE_FILE = {}

const troubles = <E extends Entries>(options: ClientTroubleOptions, entries: E) =>
  written(entries, (_, { sentence, cause }) => new ClientTrouble(sentence, { ...options, cause }))

export const clientTrouble = {
  ...troubles(AWAY, {
    unreachable: (origin: string, cause: unknown) => ({
      sentence: `${origin} ist nicht erreichbar: ${connectionReason(cause)}. Bitte die Adresse prüfen, und ob der Dienst läuft; ein neuer Start macht dort weiter, wo dieser aufhörte.`,
      cause,
    }),
    overloaded: (origin: string, sentence: string) =>
      `${origin} antwortet auch nach mehreren Versuchen nicht richtig: ${sentence} Bitte später noch einmal starten; es geht dort weiter, wo dieser Lauf aufhörte.`,
  }),
  ...troubles(HOPELESS, {
    notFundus: (origin: string, status: number) =>
      `${origin} antwortet nicht wie ein Fundus (Status ${status}). Bitte die Adresse prüfen: gemeint ist die des Dienstes, ohne /f/ oder /api/.`,
    redirected: (origin: string, to: string) =>
      `${origin} leitet nach ${to} um. Bitte diese Adresse angeben.`,
    tokenRefused: (sentence: string) =>
      `${sentence} Bitte --token oder FUNDUS_TOKEN prüfen; ein neues Token macht dort „fundus token create“ oder die Verwaltung.`,
    prefixForbidden: (sentence: string, path: string) =>
      `${sentence} Der gewünschte Pfad war „${path}“; bitte das Ziel so wählen, dass es unter dem Präfix liegt, oder ein anderes Token nehmen.`,
    quotaReached: (sentence: string) =>
      `${sentence} Bitte das Kontingent erhöhen oder Dateien dieses Tokens löschen und dann noch einmal starten; es geht dort weiter.`,
    serviceFull: (sentence: string) => `${sentence} Bitte dort Platz schaffen und dann noch einmal starten.`,
    folderAbsent: (folder: string) =>
      `Den Ordner „${folder}“ gibt es nicht, oder er darf nicht gelesen werden.`,
    listRefused: (address: string, status: number) =>
      `Die Liste unter ${address} wird mit dem Status ${status} beantwortet. Bitte Adresse und Schlüssel (--header) prüfen; für einen anderen Fundus ist --user nötig.`,
    loginRefused: (origin: string, sentence: string) =>
      `${origin}: ${sentence} Bitte --user und das Passwort prüfen.`,
  }),
  ...troubles(OF_ONE_FILE, {
    refused: (sentence: string) => sentence,
    refusedByProxy: (status: number) =>
      `Die Antwort hat den Status ${status} und kommt nicht vom Dienst, sondern wohl von einem Proxy davor${status === 413 ? ' (nginx: client_max_body_size)' : ''}.`,
    altered: () =>
      'Die Datei kam anders an, als sie hier liegt; wahrscheinlich wurde sie gerade geändert. Bitte noch einmal starten.',
    changing: () => 'Die Datei wurde geändert, während sie gesendet wurde. Bitte noch einmal starten.',
    unreadable: (cause: unknown) => {
      const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
      const why = READING_WORDS[code] ?? (code || 'unbekannter Fehler')
      return { sentence: `Die Datei lässt sich nicht lesen: ${why}.`, cause }
    },
    sourceUnreachable: (cause: unknown) => ({
      sentence: `Die Quelle ist nicht erreichbar: ${connectionReason(cause)}.`,
      cause,
    }),
    sourceRefuses: (status: number) => `Die Quelle antwortet mit dem Status ${status}.`,
    sourceDiffers: () => 'Die Quelle liefert etwas anderes, als ihre Liste sagt (andere Prüfsumme).',
    sourceEmpty: () => 'Die Quelle liefert eine leere Datei.',
    pathTaken: (path: string) => `Unter „${path}“ liegt schon etwas anderes; --overwrite ersetzt es.`,
  }),
}
