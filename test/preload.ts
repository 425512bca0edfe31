/**
 * Runs before the test files of each process (bunfig.toml). With `--parallel` the hook below runs after each
 * file.
 */
import { afterAll } from 'bun:test'
import { configureGlobal } from 'fast-check'
import { isOwnSeed, SEED_VARIABLE, testSeed } from './support/random-seed.ts'
import { watchForRemains } from './support/remains.ts'

configureGlobal({ seed: testSeed })
if (isOwnSeed) console.info(`The random choices of this run: ${SEED_VARIABLE}=${testSeed}`)

const remains = watchForRemains()
afterAll(() => remains.failIfAny())
