/**
 * The secret settings. They have a file of their own, so that the dashboard can import it without the schemas
 * of `settings.ts`.
 */

/**
 * The names of the secret settings. Only `fundus settings get`, and an export that asks for secrets, show
 * their values.
 */
const SECRET_SETTING_NAMES = [
  'WEBHOOK_URL',
  'SICHERUNG_S3_SECRET_ACCESS_KEY',
  'SICHERUNG_PASSWORT',
  'OIDC_CLIENT_SECRET',
  'DISCORD_CLIENT_SECRET',
] as const
export type SecretSettingName = (typeof SECRET_SETTING_NAMES)[number]
export const isSecretSetting = (name: string): name is SecretSettingName =>
  SECRET_SETTING_NAMES.some(secret => secret === name)
