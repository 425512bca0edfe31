/** The names of the headers that Fundus itself defines, for uploads and the answers to them. */

/** The path at which a program wants the file. */
export const PATH_HEADER = 'X-Path'
/** How the body is encoded: `base64`, or not at all. */
export const ENCODING_HEADER = 'X-Encoding'
/** `false` refuses to overwrite. */
export const OVERWRITE_HEADER = 'X-Overwrite'
export const MEDIA_TYPE_HEADER = 'X-Mime'
export const SHA256_HEADER = 'X-Sha256'

/**
 * Headers with the path and the address of the stored file. They are in the answer to the request that
 * completes a resumable upload, and in later answers about this upload.
 */
export const STORED_PATH_HEADER = 'X-Pfad'
export const STORED_ADDRESS_HEADER = 'X-Url'

/**
 * The response header with the id of an action, which is everything that one request changed in the library.
 * The history shows the entries of an action as one, and `POST /api/dash/verlauf/zuruecknehmen` undoes it.
 */
export const ACTION_HEADER = 'X-Aktion'
