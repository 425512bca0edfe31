/** The names in the content store of a backup target. They are the same in a folder and in a bucket. */

/**
 * The folder of the content store. Each content is stored once, in a subfolder named by the first two digits
 * of its SHA-256.
 */
export const STOCK_FOLDER = 'bestand'
/** The subfolder of the content store for contents that are set aside before they are removed. */
export const SET_ASIDE_FOLDER = 'weg'
/**
 * The file in the content store that records when its subfolders and the archives were last read, and which
 * contents are damaged.
 */
export const REREAD_NOTE_FILE = 'geprueft.json'

/** The name of the subfolder for the content with this checksum. */
export const contentFolderOf = (sha256: string) => sha256.slice(0, 2)
