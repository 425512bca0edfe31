/** One seed for all random choices of a run: those of the crash tests and of the property tests. */

/** Set by test/run.ts; set by hand, it repeats the choices of an earlier run. */
export const SEED_VARIABLE = 'FUNDUS_TEST_SEED'

export const randomSeed = () => Math.floor(Math.random() * 2 ** 31)

const given = process.env[SEED_VARIABLE]

export const testSeed = given === undefined ? randomSeed() : Number(given)

/** A file that runs alone prints its own seed; for a whole run test/run.ts does. */
export const isOwnSeed = given === undefined
