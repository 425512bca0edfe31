/** What the service and the dashboard's build agree on. */

/** Placeholder in the built page for the nonce of its scripts, replaced in each response. */
export const NONCE_PLACE = '__nonce__'
