/**
 * The header with which a change of files answers the id of its action. The history keeps together under this
 * id what the action did, and `POST /api/dash/verlauf/zuruecknehmen` takes it back.
 */
export const ACTION_HEADER = 'X-Aktion'
