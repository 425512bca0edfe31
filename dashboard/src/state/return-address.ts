/** The page to return to after signing in, carried in the address of the login page. */
import { ownPage } from '../../../src/contract/accounts/own-page.ts'
import { PAGES } from './addresses.ts'

/** Pages for people who are not signed in. */
export const OUTER_PAGES: readonly string[] = [PAGES.login, PAGES.setup, PAGES.invitation]

const PARAMETER = 'zurueck'
const ENDED_PARAMETER = 'beendet'

/** `ended`: there was a session, so the login page explains why it appears. */
export function loginAddress({ ended }: { ended: boolean }): string {
  const here = `${location.pathname}${location.search}`
  const parameters = new URLSearchParams({
    ...(here !== '/' && { [PARAMETER]: here }),
    ...(ended && { [ENDED_PARAMETER]: '1' }),
  })
  return parameters.size === 0 ? PAGES.login : `${PAGES.login}?${parameters}`
}

export const hasEnded = (search: string) => new URLSearchParams(search).has(ENDED_PARAMETER)

export const returnAddress = (search: string) => ownPage(new URLSearchParams(search).get(PARAMETER) ?? '/')
