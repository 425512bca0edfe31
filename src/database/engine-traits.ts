/**
 * The SQL that each engine must provide for the migrations; `sqlite/traits.ts` and `postgres/traits.ts`
 * provide it.
 */
import type { ColumnDataType, ColumnDefinitionBuilder, Expression, RawBuilder } from 'kysely'

/** Types and statements for which the engines have different SQL. */
export interface EngineTraits {
  serial: ColumnDataType
  asSerial(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder
  bigint: ColumnDataType
  /** The type of a text that is sorted and compared by its bytes. */
  bytewiseText: ColumnDataType | Expression<unknown>
  /**
   * The statements that create triggers on `table`: `gain` runs for each inserted row, `loss` for each
   * deleted row, and both when one of `columns` changes. Each returns SQL for the given name of the row (such
   * as `new` or `old`).
   */
  onRowChange(
    name: string,
    table: string,
    columns: readonly string[],
    effects: { gain(row: string): string; loss(row: string): string },
  ): string[]
  /**
   * The end of a `create table` statement that stores rows in the order of the primary key, if the engine
   * can.
   */
  inOrderOfKey: RawBuilder<unknown>
  /** A column that the engine computes from an expression. */
  computed(column: ColumnDefinitionBuilder, expression: RawBuilder<unknown>): ColumnDefinitionBuilder
  /** The part of a path up to and including its last `/`. */
  folderOf(path: string): RawBuilder<unknown>
  /**
   * The statements that fill `target` with the natural sort key of `column` (`natural-key.ts`) for every row
   * of `table`, and keep it so for rows that are inserted or changed; `key` is the primary key.
   */
  naturalKey(name: string, table: string, key: string, column: string, target: string): string[]
  /**
   * The statements that make `column` searchable by any part of its text, ignoring case; see
   * `searchableFrom`.
   */
  substringIndex(name: string, table: string, key: string, column: string): string[]
  /** The statements that remove that index. */
  dropSubstringIndex(name: string): string[]
  /** The statements of migration 0022, which no other engine needs. */
  ownStatements: readonly string[]
  /** The statements of migration 0035, which no other engine needs. */
  ownSearch: readonly string[]
  /** The statements of migration 0037: `media` keeps a natural sort key that is given with a new row. */
  givenKey: readonly string[]
  /** The statements of migration 0039, which no other engine needs. */
  ownWalks: readonly string[]
  /** The statements of migration 0041: triggers keep the number of files that were never retrieved. */
  countUnretrieved: readonly string[]
}
