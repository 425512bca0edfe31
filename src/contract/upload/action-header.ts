/**
 * The response header with the id of the action with which a request changed files. The history groups its
 * entries by this id, and `POST /api/dash/verlauf/zuruecknehmen` undoes the action.
 */
export const ACTION_HEADER = 'X-Aktion'
