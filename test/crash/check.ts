import { batches } from '../../src/base/batches.ts'
import { SEED_VARIABLE, testSeed } from '../support/random-seed.ts'
import { checkRows, checkUsage, listFiles, ownership, readRows } from './disk.ts'
import type { Model } from './model.ts'
import { servedHash } from './operations.ts'

/** Number of concurrent requests of a check: fast, but few enough for a service that has just started. */
const PARALLEL = 8

/** Throws if there are violations; `when` names the round. */
export function failIfAny(when: string, violations: readonly string[]): void {
  if (violations.length > 0)
    throw new Error(`${when} (${SEED_VARIABLE}=${testSeed}):\n${violations.slice(0, 20).join('\n')}`)
}

/**
 * After a crash: the answers explain the state of every path, the service serves what is recorded, what is
 * recorded is on disk, and quotas are exact. Settles the model, so that the next round starts from facts.
 */
export async function checkAfterCrash(url: string, dataDir: string, model: Model): Promise<string[]> {
  const rows = readRows(dataDir)
  const violations = [...(await checkRows(dataDir, rows)), ...checkUsage(dataDir)]
  const recorded = new Map(rows.map(row => [row.path, row]))
  const paths = [...new Set([...model.paths(), ...recorded.keys()])]

  const look = async (path: string) => {
    const moment = model.now()
    const allowed = model.acceptable(path, moment, moment)
    const found = await servedHash({ service: { url } }, path).catch(error => `cannot be read: ${error}`)
    if (!/^(404|[0-9a-f]{64})$/.test(found)) return void violations.push(`${path}: ${found}`)
    const state = found === '404' ? null : found
    const expected = [...allowed].map(each => each ?? 'absent').join(' or ')
    if (!allowed.has(state)) violations.push(`${path}: ${state ?? 'lost'}; acceptable: ${expected}`)
    const row = recorded.get(path)?.sha256
    if ((row ?? null) !== state) violations.push(`${path}: served ${state}, recorded ${row}`)
    model.settle(path, state)
  }

  for (const some of batches(paths, PARALLEL)) await Promise.all(some.map(look))
  return violations
}

/**
 * With the service stopped: the sweep removes exactly the objects without an owner, and nothing is staged.
 */
export async function checkSweep(
  dataDir: string,
  sweep: () => Promise<{ removed: string[]; missing: string[] }>,
): Promise<string[]> {
  const violations: string[] = []
  const { owned, undecided, leftovers } = await ownership(dataDir, readRows(dataDir))
  const { removed, missing } = await sweep()

  const rows = readRows(dataDir)
  for (const path of missing) violations.push(`sweep: ${path} has lost its object`)
  const named = new Set(removed)
  for (const name of leftovers)
    if (!named.has(name)) violations.push(`sweep: ${name} is not among the removed`)
  for (const name of named) {
    if (owned.has(name)) violations.push(`sweep: took ${name}, which a row owns`)
    // Staged uploads have no owner either; the sweep may or may not list them.
    else if (!leftovers.includes(name) && !undecided.has(name) && !name.startsWith('staging/')) {
      violations.push(`sweep: ${name} was no leftover`)
    }
  }
  for (const name of (await ownership(dataDir, rows)).leftovers)
    violations.push(`sweep: ${name} is still there`)
  // A running process keeps the lock of its staging folder.
  const staged = (await listFiles(dataDir, 'staging')).filter(name => !name.endsWith('.lock'))
  for (const name of staged) violations.push(`sweep: ${name} is still staged`)
  return [...violations, ...(await checkRows(dataDir, rows))]
}
