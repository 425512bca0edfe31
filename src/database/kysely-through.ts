/** Kysely on an executor with a connection of its own. Only `Database.transaction` begins transactions. */
import { type CompiledQuery, type Dialect, Kysely, type QueryResult } from 'kysely'
import type { Queries } from './database.ts'

/** Runs statements to their end. `Database.read` explains why none is streamed. */
export interface Executor {
  executeQuery<R>(query: Pick<CompiledQuery, 'sql' | 'parameters'>): Promise<QueryResult<R>>
  /** Releases what the executor holds, such as compiled statements. */
  end?(): void
}

/** How the engine writes its SQL. */
export type EngineDialect = Pick<Dialect, 'createAdapter' | 'createIntrospector' | 'createQueryCompiler'>

const ownTransactions = async () => {
  throw new Error('transactions are begun through Database.transaction')
}

function neverStreamed(): never {
  throw new Error('lists are read in pages, never with .stream(): see Database.read')
}

/** The executor behind each `Queries` object, for queries that bypass Kysely (`kept-query.ts`). */
const executors = new WeakMap<Queries, { executor: Executor; engine: EngineDialect }>()

export function executorOf(db: Queries): { executor: Executor; engine: EngineDialect } {
  const behind = executors.get(db)
  if (!behind) throw new Error('these queries were not made by kyselyThrough')
  return behind
}

export function kyselyThrough(executor: Executor, engine: EngineDialect): Queries {
  const only = { ...executor, streamQuery: neverStreamed }
  const db: Queries = new Kysely({
    dialect: {
      ...engine,
      createDriver: () => ({
        init: async () => {},
        acquireConnection: async () => only,
        releaseConnection: async () => {},
        beginTransaction: ownTransactions,
        commitTransaction: ownTransactions,
        rollbackTransaction: ownTransactions,
        destroy: async () => {},
      }),
    },
  })
  executors.set(db, { executor, engine })
  return db
}
