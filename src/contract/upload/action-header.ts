/**
 * The response header with the id of an action, which is everything that one request changed in the library.
 * The history shows the entries of an action as one, and `POST /api/dash/verlauf/zuruecknehmen` undoes it.
 */
export const ACTION_HEADER = 'X-Aktion'
