/** How large an uploaded ZIP archive may be. */
import { MEGABYTE } from '../values/units.ts'

/** Maximum number of entries and of unpacked bytes of an uploaded ZIP archive. */
export const ZIP_MAX_ENTRIES = 5000
export const ZIP_MAX_BYTES = 256 * MEGABYTE
/**
 * Maximum size of an uploaded ZIP archive: incompressible content is as large in the archive as unpacked, and
 * headers are added.
 */
export const ZIP_MAX_UPLOAD_BYTES = ZIP_MAX_BYTES + 16 * MEGABYTE
