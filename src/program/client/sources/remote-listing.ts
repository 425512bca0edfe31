/** Fetches listings: the export of another Fundus, after signing in, and the listing of any other host. */

import { DASHBOARD_ROUTE, FILES_ROUTE } from '../../../contract/paths/addresses.ts'
import { clientErrors, isMissingTlsError } from '../../../errors/client.ts'
import { errorTextOfAnswer } from '../service.ts'
import type { AddressOptions } from './addresses.ts'
import type { ImportItem } from './item.ts'
import { itemsOfListing, type Listing } from './listing.ts'

/**
 * Reads the export of another Fundus. The files are fetched from `origin` too. The addresses in the export
 * are not used, because the public address of that Fundus may be unreachable from here.
 */
export async function itemsOfFundus(
  origin: string,
  login: { benutzer: string; passwort: string },
  options: AddressOptions,
): Promise<Listing> {
  const loginResponse = await fetch(`${origin}${DASHBOARD_ROUTE}/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(login),
  }).catch(error => throwUnreachable(origin, error))
  const cookie = loginResponse.headers.get('Set-Cookie')?.split(';')[0]
  if (!loginResponse.ok || cookie === undefined) {
    const answer = (await loginResponse.json().catch(() => null)) as Record<string, unknown> | null
    throw clientErrors.loginRefused(
      origin,
      errorTextOfAnswer(answer, loginResponse.headers) ?? [
        `Die Anmeldung wird mit ${loginResponse.status} beantwortet.`,
        `Signing in is answered with ${loginResponse.status}.`,
      ],
    )
  }
  const json = await fetchText(`${origin}${DASHBOARD_ROUTE}/export?format=json`, { Cookie: cookie })
  await fetch(`${origin}${DASHBOARD_ROUTE}/logout`, { method: 'POST', headers: { Cookie: cookie } }).catch(
    () => {},
  )
  const fetchAt = ({ path }: { path: string }) => `${origin}${FILES_ROUTE}${encodeURI(path)}`
  return itemsOfListing(json, { ...options, fetchAt })
}

/** Reads a listing with all its pages, as far as they are on the same origin as the first one. */
export async function itemsAtAddress(
  address: string,
  headers: Record<string, string>,
  options: AddressOptions,
): Promise<Listing> {
  const items = new Map<string, ImportItem>()
  const visitedPages = new Set<string>()
  let count = 0
  for (let pageAddress = address; ; ) {
    visitedPages.add(pageAddress)
    const listing = itemsOfListing(await fetchText(pageAddress, headers), options)
    for (const item of listing.items) items.set(item.from, item)
    count += listing.count
    const nextAddress = nextPageAddress(listing.nextAddress, pageAddress)
    if (nextAddress === null || visitedPages.has(nextAddress))
      return { ...listing, items: [...items.values()], count }
    pageAddress = nextAddress
  }
}

/**
 * The address of the next page. Null if there is none, or if it has another origin, because another server
 * must not receive the key in `--header`.
 */
function nextPageAddress(nextAddress: string | null, pageAddress: string): string | null {
  if (nextAddress === null || !URL.canParse(nextAddress, pageAddress)) return null
  const { href, origin } = new URL(nextAddress, pageAddress)
  return origin === new URL(pageAddress).origin ? href : null
}

async function fetchText(address: string, headers: Record<string, string>): Promise<string> {
  const response = await fetch(address, { headers }).catch(error => throwUnreachable(address, error))
  if (!response.ok) throw clientErrors.listRefused(address, response.status)
  return response.text()
}

function throwUnreachable(address: string, error: unknown): never {
  const { origin } = new URL(address)
  throw isMissingTlsError(error) ? clientErrors.noTls(origin) : clientErrors.unreachable(origin, error)
}
