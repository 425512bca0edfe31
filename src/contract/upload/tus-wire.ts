/** Constants and limits of the tus protocol 1.0.0, https://tus.io/protocols/resumable-upload. */
import { DASHBOARD_ROUTE, TICKETS_ROUTE } from '../paths/addresses.ts'
import { DAY } from '../values/units.ts'

export const TUS_VERSION = '1.0.0'
export const TUS_EXTENSIONS = 'creation,creation-with-upload,expiration,checksum,termination'
export const TUS_CHECKSUM_ALGORITHMS = ['sha1', 'sha256'] as const
export type TusChecksum = (typeof TUS_CHECKSUM_ALGORITHMS)[number]

/** The media type of a request body that is a piece of the uploaded file. */
export const TUS_PIECE_TYPE = 'application/offset+octet-stream'

/** The addresses at which uploads are created; each upload has an address below one of them. */
export const TUS_ROUTE = '/api/tus'
export const DASHBOARD_TUS_ROUTE = `${DASHBOARD_ROUTE}/tus`
export const TICKET_TUS_ROUTE = `${TICKETS_ROUTE}/:schluessel/tus`

/** Milliseconds for which an upload can be continued after its creation or its last stored bytes. */
export const TUS_LIFETIME = DAY

/**
 * Maximum number of unfinished uploads: of one token (including those through its tickets) or one account,
 * and of all tokens and accounts together.
 */
export const TUS_MAX_UNFINISHED = 100
export const TUS_MAX_UNFINISHED_TOTAL = 2000

/** Maximum number of characters of `Upload-Metadata`. */
export const TUS_MAX_METADATA = 4096
