/** The agreement between the service and the build of the dashboard's page. */

/**
 * Placeholder in the built page for the nonce of its scripts; each response replaces it with its own nonce.
 */
export const NONCE_PLACE = '__nonce__'
