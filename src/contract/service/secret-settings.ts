/**
 * The secret settings. They have a file of their own, so that the dashboard can import it without the schemas
 * of `settings.ts`.
 */

/**
 * The names of the secret settings. Only `fundus settings get`, and an export that asks for secrets, show
 * their values.
 */
const SECRET_NAMES = [
  'WEBHOOK_URL',
  'SICHERUNG_S3_SECRET_ACCESS_KEY',
  'SICHERUNG_PASSWORT',
  'OIDC_CLIENT_SECRET',
  'DISCORD_CLIENT_SECRET',
] as const
export type SecretName = (typeof SECRET_NAMES)[number]
export const isSecret = (name: string): name is SecretName => SECRET_NAMES.some(secret => secret === name)
