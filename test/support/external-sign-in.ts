/** A browser that signs in with an external provider, as far as cookies and redirects are concerned. */
import type { HeaderMap } from './api.ts'
import type { Service } from './service.ts'

export interface Begun {
  /** The page of the provider to which the browser is sent. */
  address: URL
  /** The cookie as the browser sends it back. */
  cookie: string
}

const cookieOf = (answer: Response) =>
  answer.headers
    .getSetCookie()
    .map(each => each.split(';')[0]!)
    .join('; ')

export const beginAt = (service: Pick<Service, 'url'>, provider: string, query = '') =>
  fetch(`${service.url}/api/dash/login/extern/${provider}${query}`, { redirect: 'manual' })

export async function begun(service: Pick<Service, 'url'>, provider: string, query = ''): Promise<Begun> {
  const answer = await beginAt(service, provider, query)
  if (answer.status !== 303) throw new Error(`${answer.status} ${await answer.text()}`)
  return { address: new URL(answer.headers.get('location')!), cookie: cookieOf(answer) }
}

/** The query with which the provider sends the browser back. */
export async function answeredBy(address: URL): Promise<URLSearchParams> {
  const answer = await fetch(address, { redirect: 'manual' })
  const location = answer.headers.get('location')
  if (!location) throw new Error(`the provider: ${answer.status} ${await answer.text()}`)
  return new URL(location).searchParams
}

export const comeBack = (
  service: Pick<Service, 'url'>,
  provider: string,
  query: URLSearchParams,
  { cookie, headers }: { cookie?: string; headers?: HeaderMap } = {},
) =>
  fetch(`${service.url}/api/dash/login/extern/${provider}/zurueck?${query}`, {
    redirect: 'manual',
    headers: { ...(cookie && { Cookie: cookie }), ...headers },
  })

/** The complete sign-in, as a browser performs it. */
export async function signInAt(service: Pick<Service, 'url'>, provider: string, headers?: HeaderMap) {
  const { address, cookie } = await begun(service, provider)
  return comeBack(service, provider, await answeredBy(address), { cookie, ...(headers && { headers }) })
}
