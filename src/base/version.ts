/** The version of the service, and how it was installed. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../../package.json'
import { PROGRAM_FOLDER } from './program-files.ts'

export const VERSION: string = manifest.version

/** A release archive has its own runtime and the command `fundus`; it needs neither Node nor npm. */
export const IS_ARCHIVE = existsSync(join(PROGRAM_FOLDER, 'runtime'))
