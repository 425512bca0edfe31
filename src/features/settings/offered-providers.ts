/** The identity providers with which people can sign in: those whose settings are complete. */
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
