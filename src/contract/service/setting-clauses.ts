/**
 * Clauses that say what the value of a setting must be, by code. The schemas of the settings use these codes
 * as messages, some with a value after a colon (`at-most:64`). A clause completes „Die Einstellung X …“, and
 * the dashboard shows it beside the field.
 */

import { ownValue } from '../values/own-value.ts'
import { type BilingualText, insertValue } from '../words/both-languages.ts'
import { OCCASIONS } from './occasions.ts'

const CLAUSES: Readonly<Record<string, BilingualText>> = {
  megabytes: { de: 'muss eine Zahl in Megabyte sein', en: 'must be a number of megabytes' },
  'whole-number': { de: 'muss eine ganze Zahl sein', en: 'must be a whole number' },
  positive: { de: 'muss größer als null sein', en: 'must be greater than zero' },
  'at-least': { de: 'muss mindestens # sein', en: 'must be at least #' },
  'at-most': { de: 'darf höchstens # sein', en: 'must be at most #' },
  text: { de: 'muss ein Text sein', en: 'must be a text' },
  'one-line': { de: 'muss ein Name in einer Zeile sein', en: 'must be a name on one line' },
  'at-most-characters': { de: 'darf höchstens # Zeichen haben', en: 'must have at most # characters' },
  'at-least-characters': { de: 'muss mindestens # Zeichen haben', en: 'must have at least # characters' },
  'bucket-name': {
    de: 'muss der Name eines Buckets sein, ohne Schrägstrich und Leerzeichen',
    en: 'must be the name of a bucket, without slashes and blanks',
  },
  'key-prefix': {
    de: 'muss ein Anfang von Namen sein wie „fundus/“, ohne Schrägstrich am Anfang und ohne leere Teile',
    en: 'must be a beginning of names such as “fundus/”, without a leading slash and without empty parts',
  },
  'no-control-characters': {
    de: 'darf keine Steuerzeichen enthalten',
    en: 'must not contain control characters',
  },
  'complete-path': {
    de: 'muss ein vollständiger Pfad sein: mit Laufwerksbuchstaben, als Netzwerkfreigabe oder ab der Wurzel',
    en: 'must be a complete path: with a drive letter, as a network share, or from the root',
  },
  'windows-path': {
    de: 'muss unter Windows mit einem Laufwerksbuchstaben beginnen oder eine Netzwerkfreigabe sein',
    en: 'must begin with a drive letter or be a network share on Windows',
  },
  address: {
    de: 'muss eine Adresse sein, die mit http:// oder https:// beginnt',
    en: 'must be an address that begins with http:// or https://',
  },
  'plain-address': {
    de: 'muss eine Adresse sein, die mit http:// oder https:// beginnt, ohne Fragezeichen und Raute',
    en: 'must be an address that begins with http:// or https://, without ? and #',
  },
  'provider-address': {
    de: 'muss eine Adresse sein, die mit https:// beginnt (mit http:// nur auf diesem Rechner), ohne Fragezeichen und Raute',
    en: 'must be an address that begins with https:// (with http:// only on this machine), without ? and #',
  },
  'discord-id': { de: 'muss eine ID von Discord sein, nur Ziffern', en: 'must be a Discord id, digits only' },
  'oidc-rules': {
    de: 'muss eine Liste von Regeln mit anspruch, wert, rolle und, außer für betreiber, wenn nötig ordner sein',
    en: 'must be a list of rules with anspruch (claim), wert (value), rolle (role) and, except for betreiber, optionally ordner (folders)',
  },
  'discord-rules': {
    de: 'muss eine Liste von Regeln mit rolle_id, rolle und, außer für betreiber, wenn nötig ordner sein',
    en: 'must be a list of rules with rolle_id (role at Discord), rolle (role) and, except for betreiber, optionally ordner (folders)',
  },
  'size-list': {
    de: 'muss eine Liste von Größen mit name, breite, hoehe, art und format sein',
    en: 'must be a list of sizes with name, breite (width), hoehe (height), art (fit) and format',
  },
  'size-count': { de: 'darf höchstens # Größen haben', en: 'must have at most # sizes' },
  'size-name': {
    de: 'muss für jede Größe einen Namen haben, aus Kleinbuchstaben, Ziffern und Bindestrichen, höchstens 32 Zeichen',
    en: 'must have a name for each size, of lower-case letters, digits and hyphens, at most 32 characters',
  },
  'size-names-differ': {
    de: 'darf keinen Namen zweimal haben',
    en: 'must not have the same name twice',
  },
  'size-edge': {
    de: 'muss Breiten und Höhen in ganzen Pixeln haben, von 1 bis #',
    en: 'must have widths and heights in whole pixels, from 1 to #',
  },
  'size-without-edge': {
    de: 'muss für jede Größe eine Breite oder eine Höhe haben',
    en: 'must have a width or a height for each size',
  },
  'size-both-edges': {
    de: 'muss für „fuellen“ beides haben, Breite und Höhe',
    en: 'must have both width and height for “fuellen” (fill)',
  },
  'size-fit': {
    de: 'darf als art nur einpassen oder fuellen haben',
    en: 'must have einpassen (fit) or fuellen (fill) as art',
  },
  'size-format': {
    de: 'darf als format nur auto, webp, avif oder jpeg haben',
    en: 'must have auto, webp, avif or jpeg as format',
  },
  'host-name': { de: 'muss ein Hostname ohne Port sein', en: 'must be a host name without a port' },
  'yes-or-no': { de: 'muss ja oder nein sein', en: 'must be yes (ja) or no (nein)' },
  'whose-overwriting': {
    de: 'muss dashboard, alle oder nie sein',
    en: 'must be dashboard, alle (all) or nie (never)',
  },
  'monthly-or-off': { de: 'muss monatlich oder aus sein', en: 'must be monatlich (monthly) or aus (off)' },
  'whose-factor': {
    de: 'muss frei, betreiber oder alle sein',
    en: 'must be frei (optional), betreiber (operators) or alle (everybody)',
  },
  'time-of-day': { de: 'muss eine Uhrzeit wie 03:30 sein', en: 'must be a time such as 03:30' },
  occasions: {
    de: `muss eine Liste aus ${OCCASIONS.join(', ')} sein`,
    en: `must be a list of ${OCCASIONS.join(', ')}`,
  },
}

const UNKNOWN_CODE_CLAUSE: BilingualText = { de: 'ist ungültig', en: 'is not valid' }

/** The clause in both languages. */
export const settingProblem = (code: string | undefined): BilingualText => ({
  de: settingClause(code, 'de'),
  en: settingClause(code, 'en'),
})

export function settingClause(code: string | undefined, language: keyof BilingualText): string {
  const [name = '', value = '#'] = code?.split(':') ?? []
  return insertValue((ownValue(CLAUSES, name) ?? UNKNOWN_CODE_CLAUSE)[language], value)
}
