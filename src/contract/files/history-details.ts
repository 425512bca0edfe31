/**
 * The texts in the details of history entries, and the maximum number of rows in an export of the history.
 */

/** Maximum number of rows in an exported history (CSV). If there are more, the newest are exported. */
export const CSV_ROWS_MAX = 20_000

/**
 * A detail in the history: the uploaded picture could not be scaled down, so it may be larger than its token
 * allows.
 */
export const NOT_SCALED_DETAIL = 'unverändert gespeichert: das Bild lässt sich nicht verkleinern'

/** A detail in the history: the file that was at this path before is now in the trash. */
export const REPLACED_FILE_DETAIL = 'die Datei davor liegt jetzt im Papierkorb'
/** A detail in the history: an earlier version of the file at this path was removed, not the file itself. */
export const EARLIER_VERSION_DETAIL = 'eine frühere Fassung'

const DUPLICATE_PREFIX = 'gleicher Inhalt wie '
/**
 * A detail in the history: the file went to the trash because the file at `keptPath` has the same content.
 */
export const duplicateDetail = (keptPath: string) => DUPLICATE_PREFIX + keptPath
/** The path that was given to `duplicateDetail`; null if the detail is another one. */
export const keptPathOf = (detail: string | null) =>
  detail?.startsWith(DUPLICATE_PREFIX) ? detail.slice(DUPLICATE_PREFIX.length) : null

const RETENTION_PREFIX = 'Frist: '
/** A detail in the history: the file went to the trash because of the retention rule of this folder. */
export const retentionDetail = (folder: string) => `${RETENTION_PREFIX}${folder === '' ? '/' : folder}`
/** The folder that was given to `retentionDetail` (`/` for the top); null if the detail is another one. */
export const retentionFolderOf = (detail: string | null) =>
  detail?.startsWith(RETENTION_PREFIX) ? detail.slice(RETENTION_PREFIX.length) : null
