/** Errors of the service itself: its settings, and internal failures. */
import { Failure } from './failure.ts'

export const serviceFailures = {
  /** `why` completes the German sentence. */
  settingInvalid: (name: string, why: string) =>
    new Failure('setting-invalid', 400, `Die Einstellung ${name} ${why}.`),
  settingUnknown: (name: string) =>
    new Failure('setting-unknown', 400, `Die Einstellung „${name.slice(0, 50)}“ gibt es nicht.`),
  sweepRunning: () =>
    new Failure(
      'sweep-running',
      409,
      'Ablage und Datenbank werden gerade abgeglichen; bitte gleich erneut versuchen.',
      { 'Retry-After': '30' },
    ),
  rowsLost: () =>
    new Failure(
      'rows-lost',
      409,
      'Die Datenbank kennt keine einzige Datei, in der Ablage liegen aber welche; nichts wurde entfernt, bitte zuerst die Datenbank wiederherstellen (fundus restore oder fundus rebuild).',
    ),
  webhookMissing: () =>
    new Failure(
      'webhook-missing',
      400,
      'Es ist keine Adresse für Nachrichten eingetragen; bitte zuerst WEBHOOK_URL angeben.',
    ),
  webhookUnsaved: () =>
    new Failure(
      'webhook-unsaved',
      400,
      'Getestet wird nur die gespeicherte Adresse; bitte WEBHOOK_URL zuerst speichern.',
    ),

  // The sentences of `/status` with status 503, beside the results of its checks
  statusDisturbed: () => new Failure('status-disturbed', 503, 'Der Dienst ist gestört.'),
  statusImpaired: () =>
    new Failure('status-impaired', 503, 'Der Dienst arbeitet, ist aber nicht in bester Ordnung.'),

  /** Sent until start-up has finished, that is until the account of the environment can sign in. */
  starting: () =>
    new Failure('starting', 503, 'Der Dienst startet gerade; bitte gleich erneut versuchen.', {
      'Retry-After': '1',
    }),
  pagesNotBuilt: () =>
    new Failure(
      'pages-not-built',
      503,
      'Die Seiten der Verwaltung sind nicht gebaut; bitte „npm run build“ ausführen und den Dienst neu starten.',
    ),
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
} as const
