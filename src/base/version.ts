/** The version of the service, and how it was installed. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../../package.json'
import { PROGRAM_FOLDER } from './program-files.ts'

export const VERSION: string = manifest.version

/** Whether the program runs from a release archive, which contains its own runtime (Bun). */
export const IS_FROM_RELEASE_ARCHIVE = existsSync(join(PROGRAM_FOLDER, 'runtime'))
