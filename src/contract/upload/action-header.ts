/**
 * The header with the id of an action that changed files. The history groups its entries by it, and
 * `POST /api/dash/verlauf/zuruecknehmen` undoes it.
 */
export const ACTION_HEADER = 'X-Aktion'
