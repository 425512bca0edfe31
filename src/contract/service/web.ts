/** Constants that the service shares with the dashboard and its build. */
import { INVITATION_PAGE, SETUP_PAGE } from '../accounts/setup-link.ts'

/** Placeholder in the built page for the nonce of its scripts, replaced in each response. */
export const NONCE_PLACEHOLDER = '__nonce__'

export const LOGIN_PAGE = '/anmelden'
export const SETTINGS_PAGE = '/einstellungen'

/**
 * Pages for people who are not signed in. They have a document and a script of their own (`entrance.html`).
 */
export const SIGNED_OUT_PAGES: readonly string[] = [LOGIN_PAGE, SETUP_PAGE, INVITATION_PAGE]
