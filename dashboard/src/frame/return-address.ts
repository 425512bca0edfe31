/** The page to return to after signing in, carried in the address of the login page. */

const PARAMETER = 'zurueck'

export function loginAddress(): string {
  const here = `${location.pathname}${location.search}`
  return here === '/' ? '/anmelden' : `/anmelden?${PARAMETER}=${encodeURIComponent(here)}`
}

/** A page of this very dashboard, whatever a forged link says: `//elsewhere` would lead to another host. */
export function returnAddress(search: string): string {
  const wanted = new URLSearchParams(search).get(PARAMETER) ?? '/'
  return /^\/(?![/\\])/.test(wanted) ? wanted : '/'
}
