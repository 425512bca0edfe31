/** The groups and sections of the settings page, and which settings have which type of field. */
import type { SecretSettingName } from '../../../../src/contract/service/secret-settings.ts'
import type { SettingName, SettingValues } from '../../../../src/contract/service/settings.ts'

export const SETTING_GROUPS = {
  addresses: ['PUBLIC_URL', 'FILES_HOST', 'DIENST'],
  limits: ['MAX_UPLOAD_MB', 'EXIF_ENTFERNEN'],
  sizes: ['BILDGROESSEN', 'BILDGROESSEN_MAX_MB'],
  trash: ['UEBERSCHRIEBENE', 'PAPIERKORB_MAX_MB'],
  messages: ['WEBHOOK_URL', 'WEBHOOK_ANLAESSE'],
  backup: [
    'SICHERUNG_ZIEL',
    'SICHERUNG_ZWEITZIEL',
    'SICHERUNG_UHRZEIT',
    'SICHERUNG_BEHALTEN',
    'SICHERUNG_WOCHEN',
    'SICHERUNG_MONATE',
    'SICHERUNG_PROBE',
  ],
  bucket: [
    'SICHERUNG_S3_ENDPOINT',
    'SICHERUNG_S3_BUCKET',
    'SICHERUNG_S3_REGION',
    'SICHERUNG_S3_ACCESS_KEY_ID',
    'SICHERUNG_S3_SECRET_ACCESS_KEY',
    'SICHERUNG_S3_PRAEFIX',
    'SICHERUNG_PASSWORT',
  ],
  signIn: ['ZWEITER_FAKTOR'],
  oidc: ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_NAME', 'OIDC_REGELN'],
  discord: ['DISCORD_CLIENT_ID', 'DISCORD_CLIENT_SECRET', 'DISCORD_SERVER', 'DISCORD_REGELN'],
} as const satisfies Record<string, readonly SettingName[]>
export type SettingGroup = keyof typeof SETTING_GROUPS

/** The fragment of the address for each section, so that links can lead to it. */
export const SECTION_ANCHORS = {
  addresses: 'adressen',
  limits: 'grenzen',
  sizes: 'bildgroessen',
  trash: 'papierkorb',
  messages: 'nachrichten',
  backup: 'sicherung',
  bucket: 'bucket',
  signIn: 'anmeldung',
  oidc: 'oidc',
  discord: 'discord',
  accounts: 'konten',
  transfer: 'uebertragen',
} as const
export type SectionName = keyof typeof SECTION_ANCHORS

/** Settings with a text field or a select box; secrets and lists have fields of their own. */
export type TypedSettingName = Exclude<
  SettingName,
  SecretSettingName | 'WEBHOOK_ANLAESSE' | 'OIDC_REGELN' | 'DISCORD_REGELN' | 'BILDGROESSEN'
>

/** The options of settings with a fixed list of values, in the order of the select box. */
export const SETTING_CHOICES = {
  EXIF_ENTFERNEN: ['nein', 'ja'],
  UEBERSCHRIEBENE: ['dashboard', 'alle', 'nie'],
  SICHERUNG_PROBE: ['monatlich', 'aus'],
  ZWEITER_FAKTOR: ['frei', 'betreiber', 'alle'],
} as const satisfies { [Name in SettingName]?: readonly SettingValues[Name][] }

export const MEGABYTE_SETTINGS: ReadonlySet<SettingName> = new Set([
  'MAX_UPLOAD_MB',
  'BILDGROESSEN_MAX_MB',
  'PAPIERKORB_MAX_MB',
] as const)
export const NUMBER_SETTINGS: ReadonlySet<SettingName> = new Set([
  ...MEGABYTE_SETTINGS,
  'SICHERUNG_BEHALTEN',
  'SICHERUNG_WOCHEN',
  'SICHERUNG_MONATE',
] as const)
