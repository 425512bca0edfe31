/** What the service and the build of the dashboard's page agree on. */

/** Stands in the built page wherever its scripts are named; each answer puts its own nonce there. */
export const NONCE_PLACE = '__nonce__'
