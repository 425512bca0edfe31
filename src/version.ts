/** The version of the service. */
import manifest from '../package.json'

export const VERSION: string = manifest.version
