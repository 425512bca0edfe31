/** How SQLite spells what the engines spell differently. */
import { sql } from 'kysely'
import type { QueryTraits } from './database.ts'
import type { EngineTraits } from './engine-traits.ts'

/**
 * Stands in the search index behind every text, and in no path. The index knows every three characters that follow each
 * other; with this one the last two of a path begin such three as well, so that any two are found by what may follow.
 */
const END = '~'
/** The characters of paths, whatever their case. */
const FOLLOWING = [...'abcdefghijklmnopqrstuvwxyz0123456789._-/', END]

export const SQLITE_TRAITS: EngineTraits = {
  serial: 'integer',
  asSerial: column => column.primaryKey().autoIncrement(),
  bigint: 'integer',
  bytewiseText: 'text',
  onRowChange: (name, table, columns, { gain, loss }) => [
    `create trigger ${name}_in after insert on ${table} begin ${gain('new')} end`,
    `create trigger ${name}_out after delete on ${table} begin ${loss('old')} end`,
    `create trigger ${name}_change after update of ${columns.join(', ')} on ${table} begin ${loss('old')} ${gain('new')} end`,
  ],
  inOrderOfKey: sql`without rowid`,
  computed: (column, expression) => column.generatedAlwaysAs(expression),
  // There is no search from the end. The last item of a JSON list is one; it takes a fifth of the time of
  // `rtrim(path, replace(path, '/', ''))`, and no character of a path needs escaping.
  folderOf: path =>
    sql.raw(
      `substr(${path}, 1, length(${path}) - length(('["' || replace(${path}, '/', '","') || '"]') ->> -1))`,
    ),
  // Contentless: the text stands in the table already. Such an index is told the old text when a row goes.
  substringIndex(name, table, key, column) {
    const text = (row: string) => `${row}.${column} || '${END}'`
    const add = `insert into ${name} (rowid, ${column}) values (new.${key}, ${text('new')});`
    const drop = `insert into ${name} (${name}, rowid, ${column}) values ('delete', old.${key}, ${text('old')});`
    // An overwrite sets the path to what it was, and must not cost an index update.
    const changed = `when old.${column} <> new.${column}`
    return [
      `create virtual table ${name} using fts5 (${column}, tokenize = 'trigram', content = '', columnsize = 0)`,
      // Merging is left to `mergeSearchIndex`: otherwise one upload in many would wait for megabytes to be rewritten.
      // Only so many pieces of a size at once are merged on the spot, before they become too many.
      `insert into ${name} (${name}, rank) values ('automerge', 0), ('crisismerge', 64)`,
      // In the order of numbers: each step back would be written down by itself, at twenty times the cost.
      `insert into ${name} (rowid, ${column}) select ${key}, ${text(table)} from ${table} order by ${key}`,
      `create trigger ${name}_in after insert on ${table} begin ${add} end`,
      `create trigger ${name}_out after delete on ${table} begin ${drop} end`,
      `create trigger ${name}_change after update of ${column} on ${table} ${changed} begin ${drop} ${add} end`,
    ]
  },
  dropSubstringIndex: name => [
    ...['in', 'out', 'change'].map(event => `drop trigger ${name}_${event}`),
    `drop table ${name}`,
  ],
}

export const SQLITE_QUERIES: QueryTraits = {
  searchableFrom: 2,
  pathsContaining(text, limit) {
    const phrases = text.length > 2 ? [text] : FOLLOWING.map(next => text + next)
    const phrase = phrases.map(each => `"${each.replaceAll('"', '""')}"`).join(' OR ')
    const most = limit === undefined ? sql`` : sql` limit ${limit}`
    return sql`(select rowid as nr from media_search where media_search match ${phrase}${most})`
  },
  // Regardless of case for ASCII, which paths are.
  contains: (column, text) =>
    sql`${sql.ref(column)} like ${`%${text.replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`,
  firstSegment: (column, from) => {
    const rest = sql`substr(${sql.ref(column)}, ${from + 1})`
    return sql`substr(${rest}, 1, instr(${rest}, '/') - 1)`
  },
  lastNumber: table => sql`select seq as last from sqlite_sequence where name = ${table}`,
  // There is no row before the first insert, and no unique key to replace it by.
  countFrom: (table, last) => [
    sql`delete from sqlite_sequence where name = ${table}`,
    sql`insert into sqlite_sequence (name, seq) values (${table}, ${last})`,
  ],
}
