/** Texts that explain which values an environment variable may have, for when a start is refused. */
import type { TextPair } from '../base/language.ts'
import { LOG_LEVELS } from '../base/log.ts'
import { ownValue } from '../contract/values/own-value.ts'

export const MAX_PORT = 65_535
/** Maximum number of workers. More would hardly help, because SQLite has a single writer. */
export const MAX_WORKERS = 64
export const MIN_CACHE_MB = 64
export const MIN_METRICS_TOKEN_LENGTH = 16

/** The German text completes „… ist ungültig: “, the English one “it must be ”. */
const VARIABLE_RULES: Readonly<Record<string, TextPair>> = {
  PORT: [`erlaubt sind ganze Zahlen bis ${MAX_PORT}`, `a whole number up to ${MAX_PORT}`],
  DATABASE_URL: ['erlaubt ist eine Adresse mit postgres://', 'an address that begins with postgres://'],
  S3_ENDPOINT: [
    'erlaubt ist eine Adresse mit http:// oder https://',
    'an address that begins with http:// or https://',
  ],
  CACHE_MB: [
    `erlaubt sind ganze Zahlen von Megabyte ab ${MIN_CACHE_MB}`,
    `a whole number of megabytes from ${MIN_CACHE_MB} on`,
  ],
  SPEICHER_MB: ['erlaubt sind ganze Zahlen von Megabyte', 'a whole number of megabytes'],
  WORKERS: [
    `erlaubt sind auto und ganze Zahlen von 1 bis ${MAX_WORKERS}`,
    `auto or a whole number from 1 to ${MAX_WORKERS}`,
  ],
  TRUST_PROXY: [
    'erlaubt sind Adressen und CIDR-Bereiche, durch Kommas getrennt',
    'addresses and CIDR ranges, separated by commas',
  ],
  WEBHOOK_INTERN: ['erlaubt ist ja oder nein', 'ja or nein'],
  METRICS_TOKEN: [
    `mindestens ${MIN_METRICS_TOKEN_LENGTH} Zeichen, ohne Leerzeichen und Umlaute`,
    `at least ${MIN_METRICS_TOKEN_LENGTH} letters, digits or signs without blanks`,
  ],
  HTTP_SERVER: ['erlaubt ist fundus oder bun', 'fundus or bun'],
  SENDFILE: ['erlaubt ist 0 oder 1', '0 or 1'],
  LOG_LEVEL: [`erlaubt sind ${LOG_LEVELS.join(', ')}`, `one of ${LOG_LEVELS.join(', ')}`],
}

/** English rules of the variables whose German rule comes from the contract. */
const ENGLISH_RULES: Readonly<Record<string, string>> = {
  ADMIN_USER: 'the name of an account',
  ADMIN_PASSWORD: 'a password of at least 10 characters',
}

/**
 * The sentence for an invalid variable. `message` is the German rule of variables that are not listed here.
 */
export function invalidVariableText(name: string, message: string): TextPair {
  const [german, english] = ownValue(VARIABLE_RULES, name) ?? [message, ownValue(ENGLISH_RULES, name)]
  return [
    `Die Umgebungsvariable ${name} ist ungültig: ${german}.`,
    `The environment variable ${name} is not valid; it must be ${english ?? 'as docs/operations/reference.md says'}.`,
  ]
}
