/** Errors about the caller and its rights: tokens, sessions, accounts. */
import { Failure } from './failure.ts'

const date = (at: number) => new Date(at).toLocaleString('de-DE', { dateStyle: 'long', timeStyle: 'short' })

export const accessFailures = {
  tokenMissing: () =>
    new Failure('token-missing', 401, 'Es fehlt ein gültiges Token.', { 'WWW-Authenticate': 'Bearer' }),
  tokenExpired: (at: number) =>
    new Failure('token-expired', 401, `Das Token ist am ${date(at)} Uhr abgelaufen.`, {
      'WWW-Authenticate': 'Bearer error="invalid_token"',
    }),
  tokenAbsent: () => new Failure('token-absent', 404, 'Dieses Token gibt es nicht.'),
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
  setupDone: () =>
    new Failure('setup-done', 409, 'Die Einrichtung ist schon abgeschlossen; bitte regulär anmelden.'),
  passwordWrong: () => new Failure('password-wrong', 403, 'Das bisherige Passwort ist falsch.'),
  accountAbsent: () => new Failure('account-absent', 404, 'Dieses Benutzerkonto gibt es nicht.'),
  accountTaken: (name: string) =>
    new Failure('account-taken', 409, `Ein Benutzerkonto mit dem Namen „${name}“ gibt es schon.`),
  lastAccount: () => new Failure('last-account', 409, 'Das letzte Benutzerkonto kann nicht gelöscht werden.'),
  streamsCrowded: (most: number) =>
    new Failure(
      'streams-crowded',
      429,
      `Diese Sitzung hat schon ${most} offene Verbindungen für Ereignisse; bitte ein Fenster schließen.`,
      { 'Retry-After': '30' },
    ),
} as const
