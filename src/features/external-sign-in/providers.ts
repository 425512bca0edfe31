/** Creates the providers that the current settings configure. */
import { EXTERNAL_SIGN_IN_ROUTE } from '../../contract/accounts/external.ts'
import type { SettingValues } from '../../contract/service/settings.ts'
import type { Network } from '../fetch-url/network.ts'
import { offeredProviders } from '../settings/offered-providers.ts'
import type { Settings } from '../settings/settings.ts'
import { createDiscord } from './discord.ts'
import { createOidc } from './oidc.ts'
import type { Provider } from './provider.ts'
import { createProviderFetch } from './provider-requests.ts'

interface ProvidersParts {
  settings: Settings
  network: Network
  discordAddress: string
  now: () => number
}

/**
 * Returns a function that finds a provider by its id: each call creates the provider from the current
 * settings. It returns null if there is no such provider, or if its settings are incomplete.
 */
export const createFindProvider =
  ({ settings, network, discordAddress, now }: ProvidersParts) =>
  (id: string): Provider | null => {
    const settingValues = settings.current()
    const offeredProvider = offeredProviders(settingValues).find(provider => provider.id === id)
    if (!offeredProvider) return null
    const redirectUri = `${settingValues.PUBLIC_URL}${EXTERNAL_SIGN_IN_ROUTE}/${offeredProvider.id}/zurueck`
    const providerUrl = new URL(offeredProvider.id === 'oidc' ? settingValues.OIDC_ISSUER : discordAddress)
    const sharedParts = { redirectUri, now, fetch: createProviderFetch({ providerUrl, network }) }
    return offeredProvider.id === 'oidc'
      ? createOidc({ ...sharedParts, ...oidcSettings(settingValues) })
      : createDiscord({ ...sharedParts, ...discordSettings(settingValues), address: discordAddress })
  }

const oidcSettings = (values: SettingValues) => ({
  issuer: values.OIDC_ISSUER,
  clientId: values.OIDC_CLIENT_ID,
  clientSecret: values.OIDC_CLIENT_SECRET,
  rules: values.OIDC_REGELN,
})

const discordSettings = (values: SettingValues) => ({
  clientId: values.DISCORD_CLIENT_ID,
  clientSecret: values.DISCORD_CLIENT_SECRET,
  serverId: values.DISCORD_SERVER,
  rules: values.DISCORD_REGELN,
})
