/** What an engine must be able to spell for the migrations; `sqlite-traits.ts` spells it for SQLite. */
import type { ColumnDataType, ColumnDefinitionBuilder, Expression, RawBuilder } from 'kysely'

/** Where the engines spell the same thing differently. */
export interface EngineTraits {
  serial: ColumnDataType
  asSerial(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder
  bigint: ColumnDataType
  /** Text that sorts and compares by its bytes. */
  bytewiseText: ColumnDataType | Expression<unknown>
  /**
   * The statements that make triggers on `table`: `gain` runs for each row that comes, `loss` for each that goes, both
   * when one of `columns` changes. Each writes SQL for the row's name it is given.
   */
  onRowChange(
    name: string,
    table: string,
    columns: readonly string[],
    effects: { gain(row: string): string; loss(row: string): string },
  ): string[]
  /** Ends the statement of a table whose rows lie in the order of its primary key, where the engine has such. */
  inOrderOfKey: RawBuilder<unknown>
  /** A column that the engine works out by itself. */
  computed(column: ColumnDefinitionBuilder, expression: RawBuilder<unknown>): ColumnDefinitionBuilder
  /** A path up to and with its last `/`. */
  folderOf(path: string): RawBuilder<unknown>
  /** The statements that make `column` searchable by any part of it, whatever its case; see `searchableFrom`. */
  substringIndex(name: string, table: string, key: string, column: string): string[]
  /** And those that unmake it. */
  dropSubstringIndex(name: string): string[]
}
