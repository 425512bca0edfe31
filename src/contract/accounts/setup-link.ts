/** The addresses of the dashboard pages that create the first account, and an account by invitation. */
export const SETUP_PAGE = '/einrichtung'
export const INVITATION_PAGE = '/einladung'

/**
 * Returns a function that makes links to this page. The code is in the fragment, which browsers do not send,
 * so that no proxy logs it.
 */
const codeLinkBuilder = (page: string) => (address: string, code: string) => `${address}${page}#code=${code}`

export const setupLink = codeLinkBuilder(SETUP_PAGE)
export const invitationLink = codeLinkBuilder(INVITATION_PAGE)

/** The code in the fragment (`#code=…`) of a link to one of these pages; an empty text if there is none. */
export const codeOfLink = (fragment: string) => new URLSearchParams(fragment.slice(1)).get('code') ?? ''
