/**
 * Makes the n-th operation on a port fail, once or from then on: a test increases n until none fails any
 * more.
 */
import type { Adapters } from '../../src/adapters/adapters.ts'
import { newId } from '../../src/base/ids.ts'
import type { Log } from '../../src/base/log.ts'
import { createKysely, executorOf } from '../../src/database/create-kysely.ts'
import {
  type Database,
  DatabaseFullError,
  DatabaseUnavailableError,
  type Queries,
} from '../../src/database/database.ts'
import type { InstanceReplacement } from '../../src/database/replacement.ts'
import { createLeases } from '../../src/jobs/leases.ts'
import { type Staging, type Storage, StorageFullError } from '../../src/storage/storage.ts'
import { isOrdinaryRun } from '../support/left-out.ts'

/** `broken`, `full` (no space left): nothing is done. `lost`: it is done, but the caller gets an error. */
export type FaultKind = 'broken' | 'full' | 'lost'

export interface FaultPlan {
  /** The number of the operation that fails, from 1. */
  at: number
  /** Whether all later operations fail too. */
  lasting: boolean
  kind: FaultKind
}

const ALL_WAYS: readonly Omit<FaultPlan, 'at'>[] = [
  { kind: 'broken', lasting: false },
  { kind: 'broken', lasting: true },
  { kind: 'full', lasting: false },
  { kind: 'full', lasting: true },
  { kind: 'lost', lasting: false },
]
/** `npm test` makes operations fail in the first way, the long tests in all of them. */
export const WAYS = isOrdinaryRun ? ALL_WAYS.slice(0, 1) : ALL_WAYS

type Port = 'storage' | 'database'

export type Faults = ReturnType<typeof createFaults>

export function createFaults() {
  let plan: FaultPlan | null = null
  let count = 0
  let failed: string[] = []

  /** Counts an operation; returns the error with which it fails, if it does. */
  function next(port: Port, what: string): { error: Error; isDone: boolean } | null {
    if (!plan) return null
    count++
    if (plan.lasting ? count < plan.at : count !== plan.at) return null
    failed.push(`${port} ${what}`)
    // Nobody could close a resource that was opened and never returned.
    return { error: errorOf(port, plan.kind), isDone: plan.kind === 'lost' && what !== 'open' }
  }

  return {
    next,
    /** Counts operations from now on. */
    arm(given: FaultPlan) {
      plan = given
      count = 0
      failed = []
    },
    /** Everything works again. Returns which operations failed. */
    disarm(): string[] {
      plan = null
      return failed
    },
    async around<T>(port: Port, what: string, act: () => Promise<T>): Promise<T> {
      const fault = next(port, what)
      if (!fault || fault.isDone) {
        const done = await act()
        if (!fault) return done
      }
      throw fault.error
    },
  }
}

function errorOf(port: Port, kind: FaultKind): Error {
  if (kind === 'full') return port === 'storage' ? new StorageFullError() : new DatabaseFullError()
  if (port === 'storage') return Object.assign(new Error('EIO: i/o error (injected)'), { code: 'EIO' })
  return new DatabaseUnavailableError('injected', { mayBeStored: kind === 'lost' })
}

export function faultyAdapters(adapters: Adapters, faults: Faults, log: Log): Adapters {
  const database = faultyDatabase(adapters.database, faults)
  return {
    ...adapters,
    database,
    storage: faultyStorage(adapters.storage, faults),
    coordination: createLeases({ database, newId, now: adapters.now, log }),
  }
}

export function faultyStorage(storage: Storage, faults: Faults): Storage {
  const around = <T>(what: string, act: () => Promise<T>) => faults.around('storage', what, act)
  const staged = (staging: Staging) => faultyStaging(staging, around)
  return {
    ...storage,
    stage: async () => staged(await around('open', storage.stage)),
    stageWhole: bytes => staged(storage.stageWhole(bytes)),
    adopt: file => staged(storage.adopt(file)),
    commit: (...given) => around('commit', () => storage.commit(...given)),
    open: (...given) => around('open', () => storage.open(...given)),
    inspect: name => around('open', () => storage.inspect(name)),
    relocate: (...given) => around('link', () => storage.relocate(...given)),
    remove: name => around('remove', () => storage.remove(name)),
    removeAll: names => around('remove', () => storage.removeAll(names)),
    measure: name => around('measure', () => storage.measure(name)),
    probe: () => around('probe', storage.probe),
    withLocalFile: (name, use) => around('open', () => storage.withLocalFile(name, use)),
    async *list(prefix) {
      await around('list', async () => {})
      yield* storage.list(prefix)
    },
  }
}

const STAGING_OPERATIONS: Partial<Record<PropertyKey, string>> = {
  file: 'write',
  write: 'write',
  finish: 'flush',
}

/** Also counts what the adapter does with staged bytes while it commits them. */
function faultyStaging(
  staging: Staging,
  around: (what: string, act: () => Promise<unknown>) => Promise<unknown>,
): Staging {
  return new Proxy(staging, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      const what = STAGING_OPERATIONS[name]
      if (what === undefined || typeof value !== 'function') return value
      return (...given: unknown[]) => around(what, () => value(...given))
    },
  })
}

export function faultyDatabase(database: Database, faults: Faults): Database {
  const queries = faultyQueries(faults)
  const rejects = <T>(what: string, act: () => T | Promise<T>): T | Promise<T> => {
    const fault = faults.next('database', what)
    return fault ? Promise.reject(fault.error) : act()
  }
  return {
    ...database,
    read: queries(database.read),
    slowRead: queries(database.slowRead),
    waitUntilDurable: () => faults.around('database', 'flush', database.waitUntilDurable),
    snapshot: work => database.snapshot(at => work(queries(at))),
    currentState: () => rejects('state', database.currentState),
    servedFile: path => rejects('look-up', () => database.servedFile(path)),
    async transaction(work, options) {
      let lost: Error | undefined
      const result = await database.transaction(async tx => {
        const done = await work(queries(tx))
        const fault = faults.next('database', 'commit')
        if (fault && !fault.isDone) throw fault.error
        lost = fault?.error
        return done
      }, options)
      if (lost) throw lost
      return result
    },
  }
}

export function faultyInstance(instance: InstanceReplacement, faults: Faults): InstanceReplacement {
  const queries = faultyQueries(faults)
  return {
    ...instance,
    load: (migrations, fill) =>
      instance.load(migrations, into =>
        fill({ ...into, tx: queries(into.tx), storage: faultyStorage(into.storage, faults) }),
      ),
  }
}

/** Counts statements. Each engine's queries are wrapped once: a transaction always gets the same ones. */
function faultyQueries(faults: Faults): (db: Queries) => Queries {
  const wrapped = new WeakMap<Queries, Queries>()
  return db => {
    const { executor, dialect } = executorOf(db)
    const known =
      wrapped.get(db) ??
      createKysely(
        {
          executeQuery: query => faults.around('database', 'statement', () => executor.executeQuery(query)),
        },
        dialect,
      )
    wrapped.set(db, known)
    return known
  }
}
