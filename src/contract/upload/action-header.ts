/**
 * The header with the id of an action that changed files. The history groups its entries by this id, and
 * `POST /api/dash/verlauf/zuruecknehmen` undoes the action.
 */
export const ACTION_HEADER = 'X-Aktion'
