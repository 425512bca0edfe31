/**
 * SQL expressions for when a file was last stored and last used. The spelling must match the indexes of
 * migration 0048.
 */

/** When the content of a file was last uploaded, or restored from the trash if that was later. */
export const STORED_AT_SQL = 'case when restored_at > updated_at then restored_at else updated_at end'
/** When a file was last retrieved, or uploaded or restored if that was later. */
export const USED_AT_SQL = `case when retrieved_at > ${STORED_AT_SQL} then retrieved_at else ${STORED_AT_SQL} end`
