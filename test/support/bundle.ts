/** The bundle of the program, made where `npm test` has not seen to it: processes that tests start run as an operator's do. */
import { join } from 'node:path'
import { currentBundle } from '../../src/program/bundle/bundle.ts'

const MAKER = join(import.meta.dir, '../../src/program/bundle/make.ts')

export function makeBundle(): void {
  if (currentBundle() === null)
    Bun.spawnSync([process.execPath, MAKER], { stdio: ['ignore', 'ignore', 'inherit'] })
}
