/** The version of the service, and the form in which it was installed. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../../package.json'
import { PROGRAM_FOLDER } from './program-files.ts'

export const VERSION: string = manifest.version

/**
 * An archive of `npm run release` brings its own runtime and the command `fundus`; neither Node nor npm need
 * be there.
 */
export const IS_ARCHIVE = existsSync(join(PROGRAM_FOLDER, 'runtime'))
