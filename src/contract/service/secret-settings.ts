/** The secret settings, in a file of their own so that pages do not load the schemas of `settings.ts`. */

/**
 * The names of the secret settings. Their saved values are never shown, except in an export that asks for
 * secrets.
 */
const SECRETS = [
  'WEBHOOK_URL',
  'SICHERUNG_S3_SECRET_ACCESS_KEY',
  'SICHERUNG_PASSWORT',
  'OIDC_CLIENT_SECRET',
  'DISCORD_CLIENT_SECRET',
] as const
export type SecretName = (typeof SECRETS)[number]
export const isSecret = (name: string): name is SecretName => SECRETS.some(secret => secret === name)
