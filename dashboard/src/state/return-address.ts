/** The page to which the user returns after signing in, as a parameter of the login page. */
import { safeReturnPage } from '../../../src/contract/accounts/own-page.ts'
import { PAGES } from './addresses.ts'

const RETURN_PARAMETER = 'zurueck'

export function loginAddress(): string {
  const currentAddress = `${location.pathname}${location.search}`
  return currentAddress === '/'
    ? PAGES.login
    : `${PAGES.login}?${new URLSearchParams({ [RETURN_PARAMETER]: currentAddress })}`
}

export const returnAddress = (search: string) =>
  safeReturnPage(new URLSearchParams(search).get(RETURN_PARAMETER) ?? '/')
