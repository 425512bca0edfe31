/** The page to return to after signing in, carried in the address of the login page. */
import { ownPage } from '../../../src/contract/accounts/own-page.ts'
import { PAGES } from './addresses.ts'

const PARAMETER = 'zurueck'

export function loginAddress(): string {
  const here = `${location.pathname}${location.search}`
  return here === '/' ? PAGES.login : `${PAGES.login}?${new URLSearchParams({ [PARAMETER]: here })}`
}

export const returnAddress = (search: string) => ownPage(new URLSearchParams(search).get(PARAMETER) ?? '/')
