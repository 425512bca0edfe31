/**
 * The settings that can be changed while the service runs: names on the wire, accepted values, defaults. A
 * saved value overrides the environment, which overrides the default. Schema messages are codes
 * (`setting-clauses.ts`).
 */

import { z } from 'zod'
import { discordRules, oidcRules } from '../accounts/external.ts'
import { DEFAULT_PICTURE_SIZES, pictureSizes } from '../files/picture-sizes.ts'
import { isPosixPath, isWindowsPath } from '../paths/absolute-path.ts'
import { trimTrailing } from '../values/text.ts'
import { knownOccasions, OCCASIONS } from './occasions.ts'

const DECIMAL_PATTERN = /^-?[0-9]+(?:[.,][0-9]+)?$/

/**
 * Returns the schema of a number that may also be given as text, with a decimal point or a German decimal
 * comma. `errorCode`: the error code for any other value.
 */
const numberOrText = (errorCode: string) =>
  z.union([z.number(), z.string()], errorCode).transform((input, context) => {
    if (typeof input === 'number') return input
    if (DECIMAL_PATTERN.test(input.trim())) return Number(input.trim().replace(',', '.'))
    context.addIssue(errorCode)
    return z.NEVER
  })

const megabytes = (maximum: number) =>
  numberOrText('megabytes').pipe(
    z.number('megabytes').positive('positive').max(maximum, `at-most:${maximum}`),
  )

const textUpTo = (maxLength: number) =>
  z.string('text').trim().max(maxLength, `at-most-characters:${maxLength}`)

/**
 * `URL.canParse` alone is not enough: it also accepts `http:example.org`, to which no path can be appended.
 */
const HTTP_ADDRESS_PATTERN = /^https?:\/\/[^\s/?#@\\]+(?:[/?][^\s#\\]*)?$/i

const isHttpAddress = (value: string) => HTTP_ADDRESS_PATTERN.test(value) && URL.canParse(value)

/**
 * A provider with which people sign in may use plain http only on this machine: over a network, an attacker
 * could read or change its answers in transit.
 */
const LOOPBACK_ADDRESS_PATTERN = /^http:\/\/(?:localhost|127(?:\.[0-9]{1,3}){3}|\[::1\])(?::[0-9]+)?(?:\/|$)/i
const isProviderAddress = (value: string) =>
  isHttpAddress(value) &&
  !value.includes('?') &&
  (/^https:/i.test(value) || LOOPBACK_ADDRESS_PATTERN.test(value))

const DISCOVERY_PATH = '/.well-known/openid-configuration'

const discordId = textUpTo(20).regex(/^[0-9]*$/, 'discord-id')

/**
 * A host name, or an IPv6 address in brackets. It has no port, because the host may be reached through
 * several.
 */
const HOST_NAME_PATTERN = /^[a-z0-9.-]+$|^\[[0-9a-f:.]+\]$/

const backupTarget = textUpTo(1000)
  .refine(value => !/\p{Cc}/u.test(value), 'no-control-characters')
  .refine(value => value === '' || isWindowsPath(value) || isPosixPath(value), 'complete-path')

const archivePeriodCount = numberOrText('whole-number').pipe(
  z.int('whole-number').min(0, 'at-least:0').max(1000, 'at-most:1000'),
)

export const settingSchemas = {
  /** The public address with which every returned address begins, without a final slash. */
  PUBLIC_URL: textUpTo(1000)
    .refine(value => isHttpAddress(value) && !value.includes('?'), 'plain-address')
    .transform(value => trimTrailing(value, '/'))
    .optional(),
  /**
   * The only host name under which files and shares are served. Empty: they are served under every host name.
   */
  FILES_HOST: z
    .string('text')
    .toLowerCase()
    .refine(value => value === '' || (value.length <= 253 && HOST_NAME_PATTERN.test(value)), 'host-name')
    .default(''),
  MAX_UPLOAD_MB: megabytes(1024 * 1024).default(64),
  /** `ja`: location and camera data are removed from uploaded pictures, unless the token says otherwise. */
  EXIF_ENTFERNEN: z.enum(['ja', 'nein'], 'yes-or-no').default('nein'),
  /**
   * When an overwritten file goes to the trash: unless an upload with a token overwrites it (`dashboard`),
   * always (`alle`) or never (`nie`). A token may have a rule of its own.
   */
  UEBERSCHRIEBENE: z.enum(['dashboard', 'alle', 'nie'], 'whose-overwriting').default('dashboard'),
  /**
   * Which accounts must have a second factor: none, operators or all. Accounts of external providers need
   * none.
   */
  ZWEITER_FAKTOR: z.enum(['frei', 'betreiber', 'alle'], 'whose-factor').default('frei'),
  /** The picture sizes at `/b/<size>/<path>`. An empty list: none are served. */
  BILDGROESSEN: pictureSizes.default([...DEFAULT_PICTURE_SIZES]),
  /** The maximum total size of the stored pictures in these sizes. */
  BILDGROESSEN_MAX_MB: megabytes(1024 * 1024 * 1024).default(1024),
  PAPIERKORB_MAX_MB: megabytes(1024 * 1024 * 1024).default(20_480),
  /** Empty: no messages are sent. */
  WEBHOOK_URL: textUpTo(2000)
    .refine(value => value === '' || isHttpAddress(value), 'address')
    .default(''),
  /** A list, or text separated by commas. An empty list turns off all messages. */
  WEBHOOK_ANLAESSE: z
    .union([z.string().transform(text => text.split(',')), z.array(z.string())], {
      error: 'occasions',
    })
    .transform(names => knownOccasions(names.map(name => name.trim())))
    .default([...OCCASIONS]),
  /**
   * The folder of the first backup target. Empty: a folder inside the data folder; with PostgreSQL and an
   * object store, every backup then fails.
   */
  SICHERUNG_ZIEL: backupTarget.default(''),
  /** The folder of the second backup target. Empty: there is none. */
  SICHERUNG_ZWEITZIEL: backupTarget.default(''),
  /** The time of the daily backup: `HH:MM`, local time. */
  SICHERUNG_UHRZEIT: z
    .string('time-of-day')
    .trim()
    .regex(/^(?:[01][0-9]|2[0-3]):[0-5][0-9]$/, 'time-of-day')
    .default('03:30'),
  SICHERUNG_BEHALTEN: numberOrText('whole-number')
    .pipe(z.int('whole-number').min(1, 'at-least:1').max(10_000, 'at-most:10000'))
    .default(14),
  /**
   * Besides the newest `SICHERUNG_BEHALTEN` archives, one archive is kept for each of this many weeks: the
   * newest complete one of the week, or the newest one if none is complete. Weeks without archives do not
   * count. `SICHERUNG_MONATE` does the same for months.
   */
  SICHERUNG_WOCHEN: archivePeriodCount.default(0),
  SICHERUNG_MONATE: archivePeriodCount.default(0),
  /** Whether a restore of the newest archive is rehearsed once a month. */
  SICHERUNG_PROBE: z.enum(['monatlich', 'aus'], 'monthly-or-off').default('monatlich'),
  /**
   * The address of the third backup target, a bucket. If it and `SICHERUNG_S3_BUCKET` are empty, there is
   * none.
   */
  SICHERUNG_S3_ENDPOINT: textUpTo(1000)
    .refine(value => value === '' || (isHttpAddress(value) && !value.includes('?')), 'plain-address')
    .transform(value => trimTrailing(value, '/'))
    .default(''),
  SICHERUNG_S3_BUCKET: textUpTo(255)
    .regex(/^[^/\s]*$/, 'bucket-name')
    .default(''),
  SICHERUNG_S3_REGION: textUpTo(100).default('us-east-1'),
  SICHERUNG_S3_ACCESS_KEY_ID: textUpTo(200).default(''),
  SICHERUNG_S3_SECRET_ACCESS_KEY: textUpTo(200).default(''),
  /** Prefix of every name in the bucket; ends in a slash if it is not empty. */
  SICHERUNG_S3_PRAEFIX: textUpTo(200)
    .refine(value => !/\p{Cc}|\\|^\/|\/\/|(?:^|\/)\.\.?(?:\/|$)/u.test(value), 'key-prefix')
    .transform(value => (value === '' || value.endsWith('/') ? value : `${value}/`))
    .default(''),
  /** The password with which backups in the bucket are encrypted. Empty: they are not encrypted. */
  SICHERUNG_PASSWORT: z
    .string('text')
    .refine(value => value === '' || value.length >= 10, 'at-least-characters:10')
    .refine(value => value.length <= 200 && !/\p{Cc}/u.test(value), 'no-control-characters')
    .default(''),
  /**
   * The address of the OpenID Connect provider, exactly as the provider states it. Empty: nobody can sign in
   * with this provider.
   */
  OIDC_ISSUER: textUpTo(1000)
    .transform(value => (value.endsWith(DISCOVERY_PATH) ? value.slice(0, -DISCOVERY_PATH.length) : value))
    .refine(value => value === '' || isProviderAddress(value), 'provider-address')
    .default(''),
  OIDC_CLIENT_ID: textUpTo(500).default(''),
  OIDC_CLIENT_SECRET: textUpTo(500).default(''),
  /** The name of the OpenID Connect provider on the button of the sign-in page. */
  OIDC_NAME: textUpTo(50)
    .refine(value => value !== '' && !/\p{Cc}/u.test(value), 'one-line')
    .default('OpenID Connect'),
  OIDC_REGELN: oidcRules.default([]),
  DISCORD_CLIENT_ID: discordId.default(''),
  DISCORD_CLIENT_SECRET: textUpTo(200).default(''),
  /** The id of the Discord server. Only its members can match a rule and sign in. */
  DISCORD_SERVER: discordId.default(''),
  DISCORD_REGELN: discordRules.default([]),
  DIENST: textUpTo(100)
    .refine(value => value !== '' && !/\p{Cc}/u.test(value), 'one-line')
    .default('Fundus'),
} as const

export type SettingName = keyof typeof settingSchemas
export const SETTING_NAMES = Object.keys(settingSchemas) as SettingName[]
export const isSettingName = (name: string): name is SettingName => Object.hasOwn(settingSchemas, name)

export type SettingValues = { [Name in SettingName]: NonNullable<z.output<(typeof settingSchemas)[Name]>> }
export type SettingValue = SettingValues[SettingName]
