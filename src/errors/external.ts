/** Errors of sign-in with an external provider. */
import { SECOND } from '../contract/values/units.ts'
import { createFailures } from './failure.ts'

export const externalFailures = {
  ...createFailures(400, {
    externalExpired: () =>
      'Diese Anmeldung ist abgelaufen, schon benutzt oder in einem anderen Browser oder unter einer anderen Adresse begonnen; bitte erneut anmelden.',
  }),
  ...createFailures(403, {
    externalDenied: () => 'Die Anmeldung wurde beim Anbieter abgebrochen oder abgelehnt.',
    externalInvalid: (cause: unknown) => ({
      sentence:
        'Die Antwort des Anbieters wurde abgelehnt: Aussteller, Empfänger, Einmalwert, Zeit oder Unterschrift stimmt nicht; was genau, sagt das Protokoll des Dienstes.',
      cause,
    }),
    externalUnmatched: () =>
      'Die Anmeldung beim Anbieter gilt, aber keine Regel dieses Dienstes lässt dieses Konto herein.',
  }),
  ...createFailures(404, {
    providerAbsent: () => 'Diese Anmeldung ist nicht eingerichtet.',
  }),
  ...createFailures(409, {
    accountExternal: () =>
      'Dieses Konto meldet sich bei einem Anbieter an; ein Passwort und weitere Faktoren hat es hier nicht.',
    setupOpen: () => 'Der Dienst hat noch kein Konto; bitte zuerst die Einrichtung abschließen.',
  }),
  ...createFailures(502, {
    providerRefused: (cause: unknown) => ({
      sentence: 'Der Anbieter lehnt diesen Dienst ab; bitte Client-ID und Client-Secret prüfen.',
      cause,
    }),
    providerBroken: (cause: unknown) => ({
      sentence: 'Der Anbieter antwortet mit etwas, das dieser Dienst nicht versteht.',
      cause,
    }),
    providerUnreachable: (cause: unknown) => ({
      sentence: 'Der Anbieter antwortet nicht; die Anmeldung mit Passwort geht weiterhin.',
      cause,
    }),
  }),
  ...createFailures(503, {
    providerBusy: (milliseconds: number) => ({
      sentence: 'Der Anbieter ist gerade überlastet; bitte gleich erneut versuchen.',
      headers: { 'Retry-After': String(Math.ceil(milliseconds / SECOND)) },
    }),
  }),
}
