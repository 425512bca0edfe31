/** The SQL that each engine provides for the migrations; see `sqlite/traits.ts` and `postgres/traits.ts`. */
import type { ColumnDataType, ColumnDefinitionBuilder, Expression, RawBuilder } from 'kysely'

/** Column types and statements of the migrations for which the engines have different SQL. */
export interface EngineTraits {
  serial: ColumnDataType
  asSerial(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder
  bigint: ColumnDataType
  /** The type of a text that is sorted and compared by its bytes. */
  bytewiseText: ColumnDataType | Expression<unknown>
  /**
   * Statements that create triggers on `table`. The SQL of `onInsertSql` runs for each inserted row, and the
   * SQL of `onDeleteSql` for each deleted row. If an update sets one of `columns`, first the SQL of
   * `onDeleteSql` runs for the old version of the row, and then the SQL of `onInsertSql` for the new version.
   * The argument of both functions is the name of the row in the SQL (`new` or `old`). PostgreSQL returns no
   * statements here: its `engineStatements` create such triggers.
   */
  onRowChange(
    name: string,
    table: string,
    columns: readonly string[],
    effects: { onInsertSql(row: string): string; onDeleteSql(row: string): string },
  ): string[]
  /**
   * The end of a `create table` that makes the engine store rows in the order of the primary key; empty on
   * PostgreSQL, which cannot do so.
   */
  inKeyOrderClause: RawBuilder<unknown>
  /** A column that the engine computes from an expression. */
  computedColumn(column: ColumnDefinitionBuilder, expression: RawBuilder<unknown>): ColumnDefinitionBuilder
  /** The part of a path up to and including its last `/`. */
  folderOf(path: string): RawBuilder<unknown>
  /**
   * Statements that fill `targetColumn` with the natural sort key of `column` (`natural-key.ts`), and create
   * triggers that keep it up to date.
   */
  naturalKey(name: string, table: string, primaryKey: string, column: string, targetColumn: string): string[]
  /**
   * Statements that index `column` for substring search, ignoring case; see `QueryTraits.minSearchLength`.
   */
  substringIndex(name: string, table: string, primaryKey: string, column: string): string[]
  /** Statements that remove an index that `substringIndex` created. */
  dropSubstringIndex(name: string): string[]
  /**
   * Statements of migration 0022, which only PostgreSQL needs (none on SQLite): they count the existing rows,
   * and create triggers, the table `moment` and indexes.
   */
  engineStatements: readonly string[]
  /**
   * Statements of migration 0035, which only PostgreSQL needs (none on SQLite): the search table, indexes for
   * reading pages, and the triggers of the sort key.
   */
  searchStatements: readonly string[]
  /**
   * Statements of migration 0037, which change a trigger so that it does not overwrite a sort key that an
   * insert into `media` provides (SQLite; none on PostgreSQL, where migration 0035 does this).
   */
  givenKeyStatements: readonly string[]
  /**
   * Statements of migration 0039: wider indexes for reading `media` in a sort order (PostgreSQL; none on
   * SQLite).
   */
  sortIndexStatements: readonly string[]
  /** Statements of migration 0041, which create triggers that count the files that were never retrieved. */
  unretrievedStatements: readonly string[]
  /**
   * Statements of migration 0060, which create triggers: when a row of `media` is deleted or gets other
   * content, they delete the rows in `picture_size` that belong to the old content, and put their objects on
   * the discard list, due immediately. No grace period is needed, because later readers find no row.
   */
  pictureSizeStatements: readonly string[]
}
