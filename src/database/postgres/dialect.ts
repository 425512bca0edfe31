/** Creates Kysely objects that query PostgreSQL, and converts their values. */
import {
  type DataTypeNode,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import { createKysely, type EngineDialect } from '../create-kysely.ts'
import type { Queries } from '../database.ts'
import type { PostgresResult, RunStatement } from './pool.ts'

/**
 * Makes every text column compare by bytes, as in SQLite, whatever the collation of the operator's database.
 */
class BytewiseCompiler extends PostgresQueryCompiler {
  protected override visitDataType(node: DataTypeNode): void {
    this.append(node.dataType === 'text' ? 'text collate "C"' : node.dataType)
  }
}

const POSTGRES_DIALECT: EngineDialect = {
  createAdapter: () => new PostgresAdapter(),
  createIntrospector: db => new PostgresIntrospector(db),
  createQueryCompiler: () => new BytewiseCompiler(),
}

const NUL = '\0'
/** PostgreSQL stores no NUL in a text, so a NUL is stored as this noncharacter, and restored when read. */
const STORED_NUL = '\u{10FFFF}'

const toStoredValue = (value: unknown) =>
  typeof value === 'string' && value.includes(NUL) ? value.replaceAll(NUL, STORED_NUL) : value

function fromStoredValue(value: unknown): unknown {
  // All stored numbers (bytes, milliseconds, row numbers) are below 2^53.
  if (typeof value === 'bigint') return Number(value)
  return typeof value === 'string' && value.includes(STORED_NUL) ? value.replaceAll(STORED_NUL, NUL) : value
}

/** Converts the values of the rows in place: nobody else has the rows yet. */
export function decodeStoredRows<Row extends object>(rows: Row[]): Row[] {
  for (const row of rows as Record<string, unknown>[])
    for (const column in row) row[column] = fromStoredValue(row[column])
  return rows
}

export const kyselyOnPostgres = (run: RunStatement): Queries =>
  createKysely(
    {
      async executeQuery<R>({ sql, parameters }: { sql: string; parameters: readonly unknown[] }) {
        const result: PostgresResult = await run(sql, parameters.map(toStoredValue))
        const rows = decodeStoredRows(result.rows) as R[]
        return { rows, numAffectedRows: BigInt(result.count) } satisfies QueryResult<R>
      },
    },
    POSTGRES_DIALECT,
  )
