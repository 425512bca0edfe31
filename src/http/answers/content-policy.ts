/** Parts of a Content-Security-Policy. */
import { sha256 } from '../../base/hash/sha256.ts'

/** The source that allows this inline style or script. */
export const cspHashSource = (text: string) => `'sha256-${sha256(text, 'base64')}'`

/** Origins that can be written into a policy: any other character could end a directive. */
const SAFE_ORIGIN = /^https?:\/\/[\w.:[\]-]+$/

/** The page's own host and, if it can be written into a policy, this origin. */
export const selfAndOrigin = (origin: string) => (SAFE_ORIGIN.test(origin) ? `'self' ${origin}` : `'self'`)
