/** The SQL of migrations and queries on PostgreSQL, as far as it differs from the SQL on SQLite. */
import { sql } from 'kysely'
import type { QueryTraits } from '../database.ts'
import type { EngineTraits } from '../engine-traits.ts'
import { COUNT_STATEMENTS, PICTURE_SIZE_STATEMENTS, UNRETRIEVED_STATEMENTS } from './figures.ts'
import { SEARCH_STATEMENTS } from './search.ts'

/**
 * The columns of `media` whose updates make a new `DatabaseState`. The others are counters, names of
 * encoders, and columns that usually change together with one of these.
 */
const STATE_CHANGING_MEDIA_COLUMNS =
  'id, path, object, size, sha256, mime, kind, token_id, derived, variant_size, preview_size, variant_mark, preview_mark'

/**
 * Each change of these tables makes a new `DatabaseState`. `columns`: an update makes a new one only if it
 * sets one of these columns; inserts and deletes always do.
 */
const STATE_CHANGING_TABLES: readonly { table: string; columns?: string }[] = [
  { table: 'media', columns: STATE_CHANGING_MEDIA_COLUMNS },
  { table: 'setting' },
  { table: 'history' },
  { table: 'administration' },
  { table: 'backup' },
  { table: 'progress' },
]

/**
 * Statements that create the table `moment`, whose only row has `DatabaseState.version`. Triggers on the
 * observed tables set the version to the transaction's id; only the first trigger in a transaction changes
 * the row.
 */
const VERSION_STATEMENTS = [
  'create table moment (version bigint not null)',
  'insert into moment values (0)',
  `create function moment_moves() returns trigger language plpgsql as $$ begin
    update moment set version = pg_current_xact_id()::text::bigint
      where version <> pg_current_xact_id()::text::bigint;
    return null;
  end $$`,
  ...STATE_CHANGING_TABLES.flatMap(({ table, columns }) =>
    ['insert', `update${columns ? ` of ${columns}` : ''}`, 'delete'].map(
      (event, index) => `create trigger ${table}_moment_${index} after ${event} on ${table}
        for each statement execute function moment_moves()`,
    ),
  ),
]

/**
 * Indexes for reading `media` in a sort order. Rows with equal values are ordered by their number, as in
 * SQLite.
 */
const SORT_INDEXES = [
  ['media_size', 'size, nr'],
  ['media_retrievals', 'retrievals, nr'],
  // As in SQLite, null sorts before every value.
  ['media_retrieved', 'retrieved_at nulls first, nr'],
  ['media_newest', 'updated_at, nr'],
] as const
const recreateSortIndexes = (suffix = '') =>
  SORT_INDEXES.flatMap(([name, columns]) => [
    `drop index ${name}`,
    `create index ${name} on media (${columns})${suffix}`,
  ])

/**
 * Statements that give the sort indexes further columns: whether a file matches a filter by folder, kind or
 * token is then decided in the index, which takes a fifth of the time of fetching the row.
 */
const WIDE_SORT_INDEX_STATEMENTS = recreateSortIndexes(' include (folder, kind, token_id)')

/**
 * The rule of `natural-key.ts` in SQL: splits the path into runs of digits and of other characters, and
 * prefixes each number with its length.
 */
const CREATE_NATURAL_KEY_FUNCTION = `create function natural_key_of(path text) returns text language sql immutable as $$
  select coalesce(string_agg(
    case
      when run[1] is null then run[2]
      when length(value) < 9 then length(value) || value
      else '9' || lpad(length(value)::text, 3, '0') || value
    end, '' order by at), '')
  from (
    select run, at, coalesce(nullif(ltrim(run[1], '0'), ''), '0') as value
    from regexp_matches(path, '([0-9]+)|([^0-9]+)', 'g') with ordinality as runs (run, at)
  ) as parts
$$`

export const POSTGRES_TRAITS: EngineTraits = {
  serial: 'bigint',
  asSerial: column => column.generatedByDefaultAsIdentity().primaryKey(),
  bigint: 'bigint',
  // The dialect adds `collate "C"` to every text column.
  bytewiseText: 'text',
  // On PostgreSQL, triggers that run per statement maintain the sums of files and bytes, see
  // `engineStatements`.
  onRowChange: () => [],
  inKeyOrderClause: sql``,
  computedColumn: (column, expression) => column.generatedAlwaysAs(expression).stored(),
  folderOf: path => sql.raw(`coalesce(substring(${path} from '^.*/'), '')`),
  naturalKey: (name, table, _key, column, targetColumn) => [
    CREATE_NATURAL_KEY_FUNCTION,
    `update ${table} set ${targetColumn} = natural_key_of(${column})`,
    `create function ${name}() returns trigger language plpgsql as $$ begin
      new.${targetColumn} := natural_key_of(new.${column});
      return new;
    end $$`,
    `create trigger ${name} before insert or update of ${column} on ${table} for each row execute function ${name}()`,
  ],
  substringIndex: (name, table, _key, column) => [
    `create index ${name} on ${table} using gin (${column} gin_trgm_ops)`,
  ],
  dropSubstringIndex: name => [`drop index ${name}`],
  engineStatements: [...COUNT_STATEMENTS, ...VERSION_STATEMENTS, ...recreateSortIndexes()],
  searchStatements: SEARCH_STATEMENTS,
  // The PostgreSQL triggers of migration 0035 already keep a sort key that the statement provides.
  givenKeyStatements: [],
  sortIndexStatements: WIDE_SORT_INDEX_STATEMENTS,
  unretrievedStatements: UNRETRIEVED_STATEMENTS,
  pictureSizeStatements: PICTURE_SIZE_STATEMENTS,
}

/** The pattern with which `like` and `ilike` find texts that contain `text`. */
const likePattern = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** Minimum length of a text that the trigram index of `media_search` can find. */
const MIN_INDEXED_LENGTH = 3

export const POSTGRES_QUERY_TRAITS: QueryTraits = {
  rowsPerStatement: 1000,
  // Examining a row takes 0.3 µs, reading an index entry 0.5 µs. If the path is examined too, they take 2.1
  // µs and 1.4 µs, so the ratio is at most 1.5; it is rounded up.
  sortedScanCost: 2,
  galleryTable: sql`media`,
  // Texts shorter than `MIN_INDEXED_LENGTH` are found by reading all of `media_search`, whose rows are short.
  minSearchLength: 1,
  pathsContaining(text, limit) {
    const lowerCaseText = text.toLowerCase()
    // The trigram index cannot find a text shorter than `MIN_INDEXED_LENGTH`. With `like` PostgreSQL might
    // still read the whole index; `strpos` prevents that.
    const condition =
      lowerCaseText.length < MIN_INDEXED_LENGTH
        ? sql`strpos(path, ${lowerCaseText}) > 0`
        : sql`path like ${likePattern(lowerCaseText)}`
    const limitClause = limit === undefined ? sql`` : sql` limit ${limit}`
    return sql`(select nr from media_search where ${condition}${limitClause})`
  },
  contains: (column, text) => sql`${sql.ref(column)} ilike ${likePattern(text)}`,
  firstSegment: (column, prefixLength) =>
    sql`split_part(substr(${sql.ref(column)}, ${sql.lit(prefixLength + 1)}), '/', 1)`,
  lastNumber: table => sql`select last_value as last from ${sql.table(`${table}_nr_seq`)} where is_called`,
  continueNumberingAfter: (table, last) => [
    sql`select setval(${`${table}_nr_seq`}::regclass, ${sql.lit(Math.max(last, 1))}, ${sql.lit(last > 0)})`,
  ],
}
