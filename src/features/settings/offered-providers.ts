/**
 * The identity providers that the sign-in page offers: those with a client id, a client secret, and an issuer
 * or a Discord server. Their rules (`OIDC_REGELN`, `DISCORD_REGELN`) may still be missing.
 */
import type { ProviderId } from '../../contract/accounts/external.ts'
import type { SettingValues } from '../../contract/service/settings.ts'

export function offeredProviders(values: SettingValues): { id: ProviderId; name: string }[] {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_NAME } = values
  const { DISCORD_CLIENT_ID, DISCORD_CLIENT_SECRET, DISCORD_SERVER } = values
  return [
    ...(OIDC_ISSUER && OIDC_CLIENT_ID && OIDC_CLIENT_SECRET
      ? [{ id: 'oidc', name: OIDC_NAME } as const]
      : []),
    ...(DISCORD_CLIENT_ID && DISCORD_CLIENT_SECRET && DISCORD_SERVER
      ? [{ id: 'discord', name: 'Discord' } as const]
      : []),
  ]
}
