/** The address under which the dashboard makes the first account. */
export const SETUP_PAGE = '/einrichtung'

/** The code stands behind the `#`: a browser sends that part to nobody, so that no proxy writes it down. */
export const setupLink = (address: string, code: string) => `${address}${SETUP_PAGE}#code=${code}`

/** The code of a link, out of its part from the `#` on; empty when there is none. */
export const codeOfLink = (fragment: string) => new URLSearchParams(fragment.slice(1)).get('code') ?? ''
