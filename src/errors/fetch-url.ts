/** Errors of fetching a file from a URL: refused addresses, and failures of the other server. */
import { createFailures } from './failure.ts'

export const fetchFailures = {
  ...createFailures(400, {
    fetchAddressBroken: () => 'Das ist keine vollständige Webadresse.',
    fetchScheme: () => 'Von dort wird nichts geholt: nur http und https sind erlaubt.',
    fetchPort: (allowedPorts: readonly number[]) =>
      `Von dort wird nichts geholt: nur die Ports ${allowedPorts.join(' und ')} sind erlaubt.`,
    fetchCredentials: () =>
      'Von dort wird nichts geholt: die Adresse enthält einen Benutzernamen oder ein Passwort.',
    /** `networkClause` ends the sentence, for example „in ein privates Netz“. */
    fetchNetwork: (host: string, networkClause: string) =>
      `Von dort wird nichts geholt: „${host}“ führt ${networkClause}.`,
  }),
  ...createFailures(502, {
    sourceUnresolved: (host: string, cause: unknown) => ({
      sentence: `Der Name „${host}“ lässt sich nicht auflösen.`,
      cause,
    }),
    sourceUnreachable: (host: string, cause: unknown) => ({
      sentence: `Mit „${host}“ kam keine Verbindung zustande.`,
      cause,
    }),
    sourceUntrusted: (host: string, cause: unknown) => ({
      sentence: `Mit „${host}“ kam keine gesicherte Verbindung zustande: das Zertifikat oder die Verschlüsselung ist ungültig.`,
      cause,
    }),
    sourceMalformed: (cause: unknown) => ({ sentence: 'Die Quelle antwortet mit ungültigem HTTP.', cause }),
    sourceStatus: (status: number) => `Die Quelle antwortet mit dem Status ${status} statt mit einer Datei.`,
    sourceRedirects: (limit: number) => `Die Quelle leitet mehr als ${limit} Mal weiter.`,
    sourceEncoded: () => 'Die Quelle schickt die Datei gepackt, obwohl sie unverändert verlangt war.',
    sourceCut: (cause: unknown) => ({
      sentence: 'Die Quelle brach die Übertragung ab; nichts wurde gespeichert.',
      cause,
    }),
    sourceEmpty: () => 'Die Quelle liefert eine leere Datei.',
    sourcePage: (extension: string) =>
      `Die Quelle liefert eine HTML-Seite statt der Datei mit der Endung „${extension}“.`,
  }),
  ...createFailures(504, {
    sourceTooSlow: () => 'Die Quelle antwortet zu langsam; nichts wurde gespeichert.',
  }),
}
