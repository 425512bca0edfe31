/** The address of the dashboard page that creates the first account. */
export const SETUP_PAGE = '/einrichtung'

/** The code is in the fragment, which browsers do not send, so that no proxy logs it. */
export const setupLink = (address: string, code: string) => `${address}${SETUP_PAGE}#code=${code}`

/** The code in a fragment; empty if there is none. */
export const codeOfLink = (fragment: string) => new URLSearchParams(fragment.slice(1)).get('code') ?? ''
