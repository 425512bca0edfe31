/** Errors of authentication and authorization: tokens, sessions, accounts. */
import { createFailures } from './failure.ts'

const dateTimeText = (time: number) =>
  new Date(time).toLocaleString('de-DE', { dateStyle: 'long', timeStyle: 'short' })

export const accessFailures = {
  ...createFailures(400, {
    operatorLimited: () => 'Ein Betreiberkonto kann nicht auf Ordner begrenzt werden.',
  }),
  ...createFailures(401, {
    tokenMissing: () => ({
      sentence:
        'Es fehlt ein gültiges Token im Kopf „Authorization: Bearer media_…“; die Verwaltung macht unter „Tokens“ eines.',
      headers: { 'WWW-Authenticate': 'Bearer' },
    }),
    tokenExpired: (expiredAt: number) => ({
      sentence: `Das Token ist am ${dateTimeText(expiredAt)} Uhr abgelaufen.`,
      headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
    }),
    ticketInvalid: () =>
      'Dieses Ticket gilt nicht: es ist unbekannt, verbraucht, abgelaufen oder widerrufen.',
    sessionMissing: () => 'Dafür ist eine Anmeldung nötig; es besteht keine gültige Sitzung.',
    loginWrong: () => 'Der Benutzername oder das Passwort ist falsch.',
    loginStepOver: () => 'Diese Anmeldung gilt nicht mehr; bitte noch einmal mit dem Passwort beginnen.',
    codeWrong: () => 'Der Code ist falsch, abgelaufen oder schon benutzt.',
    passkeyRefused: (cause?: unknown) => ({
      sentence: 'Mit diesem Passkey ist hier keine Anmeldung möglich.',
      cause,
    }),
  }),
  ...createFailures(403, {
    deleteForbidden: () =>
      'Dieses Token darf keine Dateien löschen; das Recht dazu gibt die Verwaltung unter „Tokens“.',
    deleteOutsidePrefix: (prefix: string) => `Dieses Token darf nur unter „${prefix}“ löschen.`,
    readForbidden: () =>
      'Dieses Token darf keine Dateien auflisten; das Recht dazu gibt die Verwaltung unter „Tokens“.',
    readOutsidePrefix: (prefix: string) => `Dieses Token darf nur auflisten, was unter „${prefix}“ liegt.`,
    crossSite: () => 'Diese Anfrage kommt von einer anderen Website und wurde nicht ausgeführt.',
    setupCodeWrong: () =>
      'Der Einrichtungscode ist falsch; es gilt der, den der letzte Start im Terminal oder im Protokoll des Dienstes genannt hat.',
    roleForbidden: () => 'Das eigene Konto hat nicht die Rolle, die dafür nötig ist.',
    folderForbidden: () => 'Das eigene Konto ist auf bestimmte Ordner begrenzt, und das liegt außerhalb.',
    invitationInvalid: () =>
      'Diese Einladung gilt nicht: Sie ist unbekannt, abgelaufen, widerrufen oder schon benutzt.',
    passwordWrong: () => 'Das bisherige Passwort ist falsch.',
    factorRequired: () =>
      'Für dieses Benutzerkonto ist ein zweiter Faktor vorgeschrieben; bitte ihn zuerst im Dashboard einrichten.',
    passkeyRequired: () =>
      'Für dieses Benutzerkonto ist ein zweiter Faktor vorgeschrieben; bitte mit dem Passkey anmelden.',
    newCodeWrong: () =>
      'Der Code passt nicht; es gilt der, den die App gerade zeigt, und die Uhr des Geräts muss stimmen.',
  }),
  ...createFailures(400, {
    passkeyUnusable: (cause?: unknown) => ({
      sentence: 'Dieser Passkey ließ sich nicht anlegen; bitte noch einmal versuchen.',
      cause,
    }),
  }),
  ...createFailures(404, {
    tokenAbsent: () => 'Dieses Token gibt es nicht.',
    accountAbsent: () => 'Dieses Benutzerkonto gibt es nicht.',
    invitationAbsent: () => 'Diese Einladung gibt es nicht mehr.',
    sessionAbsent: () => 'Diese Sitzung gibt es nicht, oder sie ist schon beendet.',
    factorAbsent: () => 'Dieses Benutzerkonto hat keinen zweiten Faktor.',
    passkeyAbsent: () => 'Diesen Passkey gibt es nicht.',
  }),
  ...createFailures(409, {
    setupDone: () => 'Die Einrichtung ist schon abgeschlossen; bitte regulär anmelden.',
    firstAccount: () => 'Das erste Benutzerkonto muss ein Betreiberkonto sein.',
    accountTaken: (name: string) => `Ein Benutzerkonto mit dem Namen „${name}“ gibt es schon.`,
    factorPresent: () =>
      'Dieses Benutzerkonto hat schon einen zweiten Faktor; für einen neuen bitte zuerst den alten entfernen.',
    factorNotBegun: () => 'Hier ist kein zweiter Faktor zu bestätigen; bitte von vorn beginnen.',
    factorUnreadable: () =>
      'Die Codes der App lassen sich nicht prüfen, weil der Schlüssel dieses Bestands fehlt; es helfen ein Notfallcode oder auf dem Server „fundus user password“.',
    passkeysImpossible: () =>
      'Passkeys brauchen eine Adresse mit https und einem Namen statt einer IP-Adresse; die Einstellung PUBLIC_URL nennt eine andere.',
    passkeysMany: (limit: number) => `Mehr als ${limit} Passkeys kann ein Benutzerkonto nicht haben.`,
    lastAccount: () => 'Das letzte Betreiberkonto kann weder gelöscht noch herabgestuft werden.',
  }),
  ...createFailures(429, {
    ticketsTooMany: (limit: number) => ({
      sentence: `Dieses Token hat schon ${limit} Tickets; neue gibt es, wenn welche benutzt oder abgelaufen sind.`,
      headers: { 'Retry-After': '60' },
    }),
    loginLocked: (seconds: number) => ({
      sentence: `Nach zu vielen Fehlversuchen ist die Anmeldung gesperrt, noch ${seconds} ${seconds === 1 ? 'Sekunde' : 'Sekunden'}.`,
      headers: { 'Retry-After': String(seconds) },
    }),
    loginsCrowded: () => ({
      sentence: 'Der Dienst prüft gerade zu viele Anmeldungen; bitte gleich erneut versuchen.',
      headers: { 'Retry-After': '5' },
    }),
    streamsCrowded: (limit: number) => ({
      sentence: `Diese Sitzung hat schon ${limit} offene Verbindungen für Ereignisse; bitte ein Fenster schließen.`,
      headers: { 'Retry-After': '30' },
    }),
  }),
}
