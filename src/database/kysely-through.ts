/**
 * Kysely on an executor of statements. Transactions are begun by `Database.transaction` and nowhere else, and whoever
 * uses an executor already has the connection that it runs on.
 */
import { type DatabaseConnection, type Dialect, Kysely } from 'kysely'
import type { Queries } from './database.ts'

/** Runs statements to their end. `Database.read` explains why no statement is streamed. */
export interface Executor extends Pick<DatabaseConnection, 'executeQuery'> {
  /** Gives back what the executor holds, such as compiled statements. */
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

export function kyselyThrough(executor: Executor, engine: EngineDialect): Queries {
  const only: DatabaseConnection = { ...executor, streamQuery: neverStreamed }
  return new Kysely({
    dialect: {
      ...engine,
      createDriver: () => ({
        init: async () => {},
        acquireConnection: async () => only,
        releaseConnection: async () => {},
        beginTransaction: ownTransactions,
        commitTransaction: ownTransactions,
        rollbackTransaction: ownTransactions,
        destroy: async () => executor.end?.(),
      }),
    },
  })
}
