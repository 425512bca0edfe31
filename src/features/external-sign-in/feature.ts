/** Sign-in with an external provider: OpenID Connect, or Discord. */
import type { RenderError } from '../../http/answers/render-error.ts'
import type { FeatureParts } from '../feature.ts'
import type { Sessions } from '../session/sessions.ts'
import { externalRoutes, signInTrialRoute } from './external.route.ts'
import type { ExternalSignIn } from './external-sign-in.ts'
import { createWithRefusalPage } from './refusal.page.ts'

interface ExternalSignInFeatureParts extends FeatureParts {
  sessions: Sessions
  renderError: RenderError
  discordAddress: string
}

export function createExternalSignInFeature(parts: ExternalSignInFeatureParts) {
  let externalSignIn: Promise<ExternalSignIn> | undefined
  // The modules of this feature are imported at the first request that needs them, because most installations
  // use no external provider.
  const loadExternalSignIn = () => {
    externalSignIn ??= importExternalSignIn(parts)
    return externalSignIn
  }
  const routeParts = { ...parts, loadExternalSignIn, withRefusalPage: createWithRefusalPage(parts) }
  return { routes: { visitor: externalRoutes(routeParts), session: [signInTrialRoute(routeParts)] } }
}

async function importExternalSignIn(parts: ExternalSignInFeatureParts): Promise<ExternalSignIn> {
  const { createExternalSignIn } = await import('./external-sign-in.ts')
  const { createFindProvider } = await import('./providers.ts')
  const { internet } = await import('../fetch-url/network.ts')
  return createExternalSignIn({ ...parts, providerOf: createFindProvider({ ...parts, network: internet }) })
}
