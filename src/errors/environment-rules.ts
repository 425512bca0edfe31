/**
 * The rules for the values of environment variables and settings, in English, for messages of commands and of
 * a service that refuses to start. The German texts are beside the checks (`config/config.ts`) and in
 * `contract/service/setting-clauses.ts`.
 */

import { LOG_LEVELS } from '../base/log.ts'
import { OCCASIONS } from '../contract/service/occasions.ts'
import { ownValue } from '../contract/values/own-value.ts'

const MEGABYTES_RULE = 'a number of megabytes'
const TARGET_RULE =
  'a whole path: with a drive letter, as a network share, or (not on Windows) from the root on'

const RULES: Readonly<Record<string, string>> = {
  PORT: 'a whole number up to 65535',
  DATABASE_URL: 'an address that begins with postgres://',
  S3_ENDPOINT: 'an address that begins with http:// or https://',
  CACHE_MB: 'a whole number of megabytes from 64 on',
  SPEICHER_MB: 'a whole number of megabytes',
  WORKERS: 'auto or a whole number from 1 to 64',
  ADMIN_USER: 'the name of an account',
  ADMIN_PASSWORD: 'a password of at least 10 characters',
  TRUST_PROXY: 'addresses and CIDR ranges, separated by commas',
  WEBHOOK_INTERN: 'ja or nein',
  METRICS_TOKEN: 'at least 16 letters, digits or signs without blanks',
  HTTP_SERVER: 'fundus or bun',
  SENDFILE: '0 or 1',
  LOG_LEVEL: `one of ${LOG_LEVELS.join(', ')}`,
  PUBLIC_URL: 'an address such as https://media.example.org, without question mark and hash',
  FILES_HOST: 'a host name without a port',
  MAX_UPLOAD_MB: MEGABYTES_RULE,
  EXIF_ENTFERNEN: 'ja or nein',
  UEBERSCHRIEBENE: 'dashboard, alle or nie',
  ZWEITER_FAKTOR: 'frei, betreiber or alle',
  BILDGROESSEN: 'a JSON list of sizes with name, breite, hoehe, art and format',
  BILDGROESSEN_MAX_MB: MEGABYTES_RULE,
  PAPIERKORB_MAX_MB: MEGABYTES_RULE,
  WEBHOOK_URL: 'an address that begins with http:// or https://',
  WEBHOOK_ANLAESSE: `a list out of ${OCCASIONS.join(', ')}`,
  SICHERUNG_ZIEL: TARGET_RULE,
  SICHERUNG_ZWEITZIEL: TARGET_RULE,
  SICHERUNG_UHRZEIT: 'a time such as 03:30',
  SICHERUNG_BEHALTEN: 'a whole number from 1 to 10000',
  SICHERUNG_WOCHEN: 'a whole number from 0 to 1000',
  SICHERUNG_MONATE: 'a whole number from 0 to 1000',
  SICHERUNG_PROBE: 'monatlich or aus',
  SICHERUNG_S3_ENDPOINT: 'an address such as https://s3.example.org, without question mark and hash',
  SICHERUNG_S3_BUCKET: 'the name of a bucket',
  SICHERUNG_S3_REGION: 'a text of at most 100 characters',
  SICHERUNG_S3_ACCESS_KEY_ID: 'a text of at most 200 characters',
  SICHERUNG_S3_SECRET_ACCESS_KEY: 'a text of at most 200 characters',
  SICHERUNG_S3_PRAEFIX: 'a beginning of names such as fundus/',
  SICHERUNG_PASSWORT: 'a password of at least 10 characters',
  OIDC_ISSUER: 'an address that begins with https://, or with http:// on this machine',
  OIDC_CLIENT_ID: 'a text of at most 500 characters',
  OIDC_CLIENT_SECRET: 'a text of at most 500 characters',
  OIDC_NAME: 'a name in one line of at most 50 characters',
  OIDC_REGELN: 'a JSON list of rules with anspruch, wert, rolle and optionally ordner',
  DISCORD_CLIENT_ID: 'a Discord id, digits only',
  DISCORD_CLIENT_SECRET: 'a text of at most 200 characters',
  DISCORD_SERVER: 'a Discord id, digits only',
  DISCORD_REGELN: 'a JSON list of rules with rolle_id, rolle and optionally ordner',
  DIENST: 'a name in one line',
}

const ruleOf = (name: string) => ownValue(RULES, name) ?? 'as docs/operations/reference.md says'

export const invalidVariableText = (name: string): string =>
  `The environment variable ${name} is not valid; it must be ${ruleOf(name)}.`

export const invalidSettingText = (name: string): string => `${name} must be ${ruleOf(name)}.`
