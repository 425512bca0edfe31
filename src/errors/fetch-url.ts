/** Errors of fetching a file from an address: addresses that are refused, and failures of the other server. */
import { Failure } from './failure.ts'

export const fetchFailures = {
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
} as const
