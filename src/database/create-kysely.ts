/**
 * Creates Kysely objects that send their queries to an `Executor`. They refuse to stream rows and to begin
 * transactions: only `Database.transaction` may begin one.
 */
import { type CompiledQuery, type Dialect, Kysely, type QueryResult } from 'kysely'
import type { Queries } from './database.ts'

/** Runs statements and returns all rows at the end. `Database.read` explains why rows are never streamed. */
export interface Executor {
  executeQuery<R>(query: Pick<CompiledQuery, 'sql' | 'parameters'>): Promise<QueryResult<R>>
  /** Releases resources such as compiled statements. */
  end?(): void
}

/** The parts of a Kysely dialect that know the SQL of an engine. */
export type EngineDialect = Pick<Dialect, 'createAdapter' | 'createIntrospector' | 'createQueryCompiler'>

const refuseTransaction = async () => {
  throw new Error('transactions are begun through Database.transaction')
}

function refuseStreaming(): never {
  throw new Error('lists are read in pages, never with .stream(): see Database.read')
}

/** The executor behind each `Queries` object, for queries that bypass Kysely (`compile-once.ts`). */
const executors = new WeakMap<Queries, { executor: Executor; dialect: EngineDialect }>()

export function executorOf(db: Queries): { executor: Executor; dialect: EngineDialect } {
  const entry = executors.get(db)
  if (!entry) throw new Error('these queries were not made by createKysely')
  return entry
}

export function createKysely(executor: Executor, dialect: EngineDialect): Queries {
  const connection = { ...executor, streamQuery: refuseStreaming }
  const db: Queries = new Kysely({
    dialect: {
      ...dialect,
      createDriver: () => ({
        init: async () => {},
        acquireConnection: async () => connection,
        releaseConnection: async () => {},
        beginTransaction: refuseTransaction,
        commitTransaction: refuseTransaction,
        rollbackTransaction: refuseTransaction,
        destroy: async () => {},
      }),
    },
  })
  executors.set(db, { executor, dialect })
  return db
}
