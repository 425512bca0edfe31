/** Errors about the caller: tokens, sessions, accounts. */
import { failures } from './failure.ts'

const dateText = (at: number) =>
  new Date(at).toLocaleString('de-DE', { dateStyle: 'long', timeStyle: 'short' })

export const accessFailures = {
  ...failures(400, {
    operatorLimited: () => 'Ein Betreiberkonto kann nicht auf Ordner begrenzt werden.',
  }),
  ...failures(401, {
    tokenMissing: () => ({
      sentence:
        'Es fehlt ein gültiges Token im Kopf „Authorization: Bearer media_…“; die Verwaltung macht unter „Tokens“ eines.',
      headers: { 'WWW-Authenticate': 'Bearer' },
    }),
    tokenExpired: (at: number) => ({
      sentence: `Das Token ist am ${dateText(at)} Uhr abgelaufen.`,
      headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
    }),
    sessionMissing: () => 'Dafür ist eine Anmeldung nötig; es besteht keine gültige Sitzung.',
    loginWrong: () => 'Der Benutzername oder das Passwort ist falsch.',
  }),
  ...failures(403, {
    deleteForbidden: () =>
      'Dieses Token darf keine Dateien löschen; das Recht dazu gibt die Verwaltung unter „Tokens“.',
    deleteOutsidePrefix: (prefix: string) => `Dieses Token darf nur unter „${prefix}“ löschen.`,
    crossSite: () => 'Diese Anfrage kommt von einer anderen Website und wurde nicht ausgeführt.',
    setupCodeWrong: () =>
      'Der Einrichtungscode ist falsch; es gilt der, den der letzte Start im Terminal oder im Protokoll des Dienstes genannt hat.',
    roleForbidden: () => 'Das eigene Konto hat nicht die Rolle, die dafür nötig ist.',
    folderForbidden: () => 'Das eigene Konto ist auf bestimmte Ordner begrenzt, und das liegt außerhalb.',
    passwordWrong: () => 'Das bisherige Passwort ist falsch.',
  }),
  ...failures(404, {
    tokenAbsent: () => 'Dieses Token gibt es nicht.',
    accountAbsent: () => 'Dieses Benutzerkonto gibt es nicht.',
    sessionAbsent: () => 'Diese Sitzung gibt es nicht, oder sie ist schon beendet.',
  }),
  ...failures(409, {
    setupDone: () => 'Die Einrichtung ist schon abgeschlossen; bitte regulär anmelden.',
    accountTaken: (name: string) => `Ein Benutzerkonto mit dem Namen „${name}“ gibt es schon.`,
    lastAccount: () => 'Das letzte Betreiberkonto kann weder gelöscht noch herabgestuft werden.',
  }),
  ...failures(429, {
    loginLocked: (seconds: number) => ({
      sentence: `Nach zu vielen Fehlversuchen ist die Anmeldung gesperrt, noch ${seconds} ${seconds === 1 ? 'Sekunde' : 'Sekunden'}.`,
      headers: { 'Retry-After': String(seconds) },
    }),
    loginsCrowded: () => ({
      sentence: 'Der Dienst prüft gerade zu viele Anmeldungen; bitte gleich erneut versuchen.',
      headers: { 'Retry-After': '5' },
    }),
    streamsCrowded: (most: number) => ({
      sentence: `Diese Sitzung hat schon ${most} offene Verbindungen für Ereignisse; bitte ein Fenster schließen.`,
      headers: { 'Retry-After': '30' },
    }),
  }),
}
