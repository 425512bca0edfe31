import manifest from '../package.json'

/** As released. */
export const VERSION: string = manifest.version
