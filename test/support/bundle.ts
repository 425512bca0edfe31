/**
 * Builds the bundle of the program if `npm test` has not: processes that tests start run it, as for an
 * operator.
 */
import { join } from 'node:path'
import { currentBundle } from '../../src/program/bundle/bundle.ts'

const MAKER = join(import.meta.dir, '../../src/program/bundle/make.ts')

export function makeBundle(): void {
  if (currentBundle() === null)
    Bun.spawnSync([process.execPath, MAKER], { stdio: ['ignore', 'ignore', 'inherit'] })
}
