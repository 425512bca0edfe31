/** The history of administration: an audit log of changes to settings, accounts, tokens, links and more. */
import { z } from 'zod'
import type { SettingName } from '../service/settings.ts'
import { pageAnswer, pageQuery } from '../values/paging.ts'

const ADMINISTRATION_OCCURRENCES = [
  'token_erstellt',
  'token_geaendert',
  'token_widerrufen',
  'konto_erstellt',
  'konto_geaendert',
  'konto_geloescht',
  'passwort_geaendert',
  'sitzungen_beendet',
  'zweiter_faktor_eingerichtet',
  'zweiter_faktor_entfernt',
  'passkey_erstellt',
  'passkey_umbenannt',
  'passkey_entfernt',
  'einladung_erstellt',
  'einladung_widerrufen',
  'einladung_angenommen',
  'freigabe_erstellt',
  'freigabe_geaendert',
  'freigabe_widerrufen',
  'abgabe_erstellt',
  'abgabe_beendet',
  'fristen_geaendert',
  'webhook_getestet',
] as const

/** What happened: the name of the setting that was changed, or another administrative action. */
export type AdministrationOccurrence = SettingName | (typeof ADMINISTRATION_OCCURRENCES)[number]

export const administrationQuery = pageQuery

/**
 * `was`: an `AdministrationOccurrence`. `alt` and `neu`: the old and the new value; null: none. Secrets are
 * masked.
 */
export const administrationAnswer = z.object({
  eintraege: z.array(
    z.object({
      zeit: z.int(),
      wer: z.string(),
      was: z.string(),
      alt: z.string().nullable(),
      neu: z.string().nullable(),
    }),
  ),
  ...pageAnswer,
})
