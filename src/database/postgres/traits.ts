/** The SQL of PostgreSQL for everything that the engines write differently. */
import { sql } from 'kysely'
import type { QueryTraits } from '../database.ts'
import type { EngineTraits } from '../engine-traits.ts'
import { DROP_PICTURE_SIZES, FIGURES, UNRETRIEVED } from './figures.ts'
import { OWN_SEARCH } from './search.ts'

/** The columns of `media` that answer `/f/` or a page of the library: all but the counters. */
const SERVED_COLUMNS =
  'id, path, object, size, sha256, mime, kind, token_id, derived, variant_size, preview_size, variant_mark, preview_mark'

/** Each change of these tables makes a new `DatabaseState`. `of`: only changes of these columns count. */
const OBSERVED_TABLES: readonly { table: string; of?: string }[] = [
  { table: 'media', of: SERVED_COLUMNS },
  { table: 'setting' },
  { table: 'history' },
  { table: 'administration' },
  { table: 'backup' },
  { table: 'progress' },
]

/**
 * Only the first statement of a transaction updates this row, with a number that is unique to the
 * transaction.
 */
const MOMENT = [
  'create table moment (version bigint not null)',
  'insert into moment values (0)',
  `create function moment_moves() returns trigger language plpgsql as $$ begin
    update moment set version = pg_current_xact_id()::text::bigint
      where version <> pg_current_xact_id()::text::bigint;
    return null;
  end $$`,
  ...OBSERVED_TABLES.flatMap(({ table, of }) =>
    ['insert', `update${of ? ` of ${of}` : ''}`, 'delete'].map(
      (event, at) => `create trigger ${table}_moment_${at} after ${event} on ${table}
        for each statement execute function moment_moves()`,
    ),
  ),
]

/** Rows with equal values are ordered by their number, as in SQLite. */
const ORDERS = [
  ['media_size', 'size, nr'],
  ['media_retrievals', 'retrievals, nr'],
  // SQLite sorts null before every value.
  ['media_retrieved', 'retrieved_at nulls first, nr'],
  ['media_newest', 'updated_at, nr'],
] as const
const ordersWith = (also = '') =>
  ORDERS.flatMap(([name, columns]) => [
    `drop index ${name}`,
    `create index ${name} on media (${columns})${also}`,
  ])

/**
 * A query that reads along these indexes sees in the index itself whether a row matches, which takes a fifth
 * of the time of fetching the row.
 */
const WALKS = ordersWith(' include (folder, kind, token_id)')

/** The rule of `natural-key.ts` in SQL: the path in runs of digits and of other characters. */
const NATURAL_KEY = `create function natural_key_of(path text) returns text language sql immutable as $$
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
  // The dialect adds `collate "C"` to every text.
  bytewiseText: 'text',
  // On PostgreSQL, triggers that run per statement maintain the figures, see `ownStatements`.
  onRowChange: () => [],
  inOrderOfKey: sql``,
  computed: (column, expression) => column.generatedAlwaysAs(expression).stored(),
  folderOf: path => sql.raw(`coalesce(substring(${path} from '^.*/'), '')`),
  naturalKey: (name, table, _key, column, target) => [
    NATURAL_KEY,
    `update ${table} set ${target} = natural_key_of(${column})`,
    `create function ${name}() returns trigger language plpgsql as $$ begin
      new.${target} := natural_key_of(new.${column});
      return new;
    end $$`,
    `create trigger ${name} before insert or update of ${column} on ${table} for each row execute function ${name}()`,
  ],
  substringIndex: (name, table, _key, column) => [
    `create index ${name} on ${table} using gin (${column} gin_trgm_ops)`,
  ],
  dropSubstringIndex: name => [`drop index ${name}`],
  ownStatements: [...FIGURES, ...MOMENT, ...ordersWith()],
  ownSearch: OWN_SEARCH,
  // PostgreSQL has kept given keys since migration 0035.
  givenKey: [],
  ownWalks: WALKS,
  countUnretrieved: UNRETRIEVED,
  dropPictureSizes: DROP_PICTURE_SIZES,
}

/** A pattern of `like` for paths that contain the text, whose special characters are escaped. */
const pattern = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** Minimum number of characters for the index of `media_search`, which finds groups of three. */
const MIN_INDEXED = 3

export const POSTGRES_QUERIES: QueryTraits = {
  rowsAtOnce: 1000,
  // Examining a row takes 0.3 µs, an index entry 0.5 µs; if the path is examined too, 2.1 µs and 1.4 µs.
  walkCost: 2,
  gallery: sql`media`,
  // Texts shorter than `MIN_INDEXED` are found by reading the whole narrow table, which is faster than
  // reading `media`.
  searchableFrom: 1,
  pathsContaining(text, limit) {
    const wanted = text.toLowerCase()
    // The trigram index cannot find a shorter text, and PostgreSQL might still read the whole index; `strpos`
    // prevents that.
    const found =
      wanted.length < MIN_INDEXED ? sql`strpos(path, ${wanted}) > 0` : sql`path like ${pattern(wanted)}`
    const most = limit === undefined ? sql`` : sql` limit ${limit}`
    return sql`(select nr from media_search where ${found}${most})`
  },
  contains: (column, text) => sql`${sql.ref(column)} ilike ${pattern(text)}`,
  firstSegment: (column, from) => sql`split_part(substr(${sql.ref(column)}, ${sql.lit(from + 1)}), '/', 1)`,
  lastNumber: table => sql`select last_value as last from ${sql.table(`${table}_nr_seq`)} where is_called`,
  countFrom: (table, last) => [
    sql`select setval(${`${table}_nr_seq`}::regclass, ${sql.lit(Math.max(last, 1))}, ${sql.lit(last > 0)})`,
  ],
}
