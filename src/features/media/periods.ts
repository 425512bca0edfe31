/** When a file was last stored and last used, as in the indexes of migration 0048. */

/** When its content came to this path, or out of the trash if that was later. */
export const STORED_AT = 'case when restored_at > updated_at then restored_at else updated_at end'
/** When it was last retrieved, or stored if that was later. */
export const USED_AT = `case when retrieved_at > ${STORED_AT} then retrieved_at else ${STORED_AT} end`
