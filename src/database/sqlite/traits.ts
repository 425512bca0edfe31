/** The SQL of migrations and queries on SQLite, as far as it differs from the SQL on PostgreSQL. */
import { sql } from 'kysely'
import type { QueryTraits } from '../database.ts'
import type { EngineTraits } from '../engine-traits.ts'

/**
 * This character is appended to every path in the search index; no path contains it. The index can find only
 * groups of three characters. Thanks to the end character, any two characters of a path are followed by a
 * third one. So a search for two characters searches for each group of three that begins with them.
 */
const END_CHARACTER = '~'
/** The characters that may follow another one in the search index, ignoring case. */
const FOLLOWING_CHARACTERS = [...'abcdefghijklmnopqrstuvwxyz0123456789._-/', END_CHARACTER]

const DIGIT_CHARACTERS = "'0123456789'"
const OTHER_CHARACTERS = "'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz._-/~'"

/**
 * Returns SQL that computes the natural key (`natural-key.ts`) of `path`, an SQL expression. It splits the
 * path into runs of digits and of other characters. Each recursive step consumes at least one character, even
 * one that no path should have, so the recursion always ends.
 */
export function naturalKeySql(path: string): string {
  const leadingDigits = `substr(rest, 1, length(rest) - length(ltrim(rest, ${DIGIT_CHARACTERS})))`
  const significantDigits = `coalesce(nullif(ltrim(${leadingDigits}, '0'), ''), '0')`
  const longPrefix = `'9' || printf('%03d', length(${significantDigits}))`
  const numberKey = `case when length(${significantDigits}) < 9 then length(${significantDigits}) else ${longPrefix} end || ${significantDigits}`
  const remainingLength = `min(length(ltrim(rest, ${OTHER_CHARACTERS})), length(rest) - 1)`
  return `(with recursive taken (rest, made) as (
    select ${path}, ''
    union all
    select case when rest glob '[0-9]*' then ltrim(rest, ${DIGIT_CHARACTERS}) else substr(rest, length(rest) - ${remainingLength} + 1) end,
      made || case when rest glob '[0-9]*' then ${numberKey} else substr(rest, 1, length(rest) - ${remainingLength}) end
    from taken where rest <> ''
  ) select made from taken where rest = '')`
}

export const SQLITE_TRAITS: EngineTraits = {
  serial: 'integer',
  asSerial: column => column.primaryKey().autoIncrement(),
  bigint: 'integer',
  bytewiseText: 'text',
  onRowChange: (name, table, columns, { onInsertSql, onDeleteSql }) => [
    `create trigger ${name}_in after insert on ${table} begin ${onInsertSql('new')} end`,
    `create trigger ${name}_out after delete on ${table} begin ${onDeleteSql('old')} end`,
    `create trigger ${name}_change after update of ${columns.join(', ')} on ${table} begin ${onDeleteSql('old')} ${onInsertSql('new')} end`,
  ],
  inKeyOrderClause: sql`without rowid`,
  computedColumn: (column, expression) => column.generatedAlwaysAs(expression),
  // SQLite has no search from the end of a text. Taking the last item of a JSON list costs a fifth of
  // `rtrim(path, replace(path, '/', ''))`, and no character of a path needs escaping in JSON.
  folderOf: path =>
    sql.raw(
      `substr(${path}, 1, length(${path}) - length(('["' || replace(${path}, '/', '","') || '"]') ->> -1))`,
    ),
  // SQLite's triggers cannot change a row before it is written, so the trigger updates the key afterwards.
  naturalKey(name, table, primaryKey, column, targetColumn) {
    const updateAllSql = `update ${table} set ${targetColumn} = ${naturalKeySql(`${table}.${column}`)}`
    const updateRowSql = `${updateAllSql} where ${primaryKey} = new.${primaryKey};`
    return [
      updateAllSql,
      `create trigger ${name}_in after insert on ${table} begin ${updateRowSql} end`,
      `create trigger ${name}_change after update of ${column} on ${table} when old.${column} <> new.${column} begin ${updateRowSql} end`,
    ]
  },
  // The FTS5 index is contentless, because the table has the text already. To delete a row from such an
  // index, the trigger has to give it the old text.
  substringIndex(name, table, primaryKey, column) {
    const indexedText = (row: string) => `${row}.${column} || '${END_CHARACTER}'`
    const addEntrySql = `insert into ${name} (rowid, ${column}) values (new.${primaryKey}, ${indexedText('new')});`
    const removeEntrySql = `insert into ${name} (${name}, rowid, ${column}) values ('delete', old.${primaryKey}, ${indexedText('old')});`
    // Overwriting a file sets `path` to the same text, which must not cost an index update.
    const whenChanged = `when old.${column} <> new.${column}`
    return [
      `create virtual table ${name} using fts5 (${column}, tokenize = 'trigram', content = '', columnsize = 0)`,
      // `mergeSearchIndex` merges the segments of the index: with automatic merging, an occasional upload
      // would wait while megabytes are rewritten. SQLite itself merges only when there are 64 segments of one
      // size (`crisismerge`), to bound their number.
      `insert into ${name} (${name}, rank) values ('automerge', 0), ('crisismerge', 64)`,
      // Rows are inserted in the order of their numbers: whenever a number is lower than the previous one,
      // FTS5 writes out what it has collected, which would make this twenty times slower.
      `insert into ${name} (rowid, ${column}) select ${primaryKey}, ${indexedText(table)} from ${table} order by ${primaryKey}`,
      `create trigger ${name}_in after insert on ${table} begin ${addEntrySql} end`,
      `create trigger ${name}_out after delete on ${table} begin ${removeEntrySql} end`,
      `create trigger ${name}_change after update of ${column} on ${table} ${whenChanged} begin ${removeEntrySql} ${addEntrySql} end`,
    ]
  },
  dropSubstringIndex: name => [
    ...['in', 'out', 'change'].map(event => `drop trigger ${name}_${event}`),
    `drop table ${name}`,
  ],
  engineStatements: [],
  searchStatements: [],
  givenKeyStatements: [
    'drop trigger media_natural_key_in',
    `create trigger media_natural_key_in after insert on media when new.natural_key = '' begin
      update media set natural_key = ${naturalKeySql('media.path')} where nr = new.nr;
    end`,
  ],
  sortIndexStatements: [],
  // Of the updates, only the first retrieval of a file and a reset of its retrievals change the number of
  // files that were never retrieved; hence the conditions of the two update triggers.
  unretrievedStatements: [
    ['in', 'insert', 'new.retrievals < 1', '+ 1'],
    ['out', 'delete', 'old.retrievals < 1', '- 1'],
    ['first', 'update of retrievals', 'old.retrievals < 1 and new.retrievals >= 1', '- 1'],
    ['again', 'update of retrievals', 'old.retrievals >= 1 and new.retrievals < 1', '+ 1'],
  ].map(
    ([
      name,
      event,
      condition,
      delta,
    ]) => `create trigger media_unretrieved_${name} after ${event} on media when ${condition} begin
      update unretrieved_total set files = files ${delta};
    end`,
  ),
  pictureSizeStatements: [
    ['out', 'delete', ''],
    ['change', 'update of id', 'when old.id <> new.id'],
  ].map(
    ([
      name,
      event,
      condition,
    ]) => `create trigger media_picture_size_${name} after ${event} on media ${condition} begin
      insert into discard (object, due_at) select object, 0 from picture_size
        where source = old.id and object is not null;
      delete from picture_size where source = old.id;
    end`,
  ),
}

export const SQLITE_QUERY_TRAITS: QueryTraits = {
  rowsPerStatement: 25,
  // Examining a row takes 3 µs, reading an index entry 0.15 µs.
  sortedScanCost: 20,
  // Forces this index: otherwise SQLite chooses another one that begins with the folder, with which grouping
  // a million files by folder takes over 3 s.
  galleryTable: sql`media indexed by media_gallery`,
  minSearchLength: 2,
  pathsContaining(text, limit) {
    const phrases = text.length > 2 ? [text] : FOLLOWING_CHARACTERS.map(nextCharacter => text + nextCharacter)
    const matchExpression = phrases.map(phrase => `"${phrase.replaceAll('"', '""')}"`).join(' OR ')
    const limitClause = limit === undefined ? sql`` : sql` limit ${limit}`
    return sql`(select rowid as nr from media_search where media_search match ${matchExpression}${limitClause})`
  },
  // `like` ignores case for ASCII, and paths are ASCII.
  contains: (column, text) =>
    sql`${sql.ref(column)} like ${`%${text.replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`,
  firstSegment: (column, prefixLength) => {
    const textAfterPrefix = sql`substr(${sql.ref(column)}, ${prefixLength + 1})`
    return sql`substr(${textAfterPrefix}, 1, instr(${textAfterPrefix}, '/') - 1)`
  },
  lastNumber: table => sql`select seq as last from sqlite_sequence where name = ${table}`,
  // `sqlite_sequence` has no row for a table before its first insert, and no unique key for an upsert.
  continueNumberingAfter: (table, last) => [
    sql`delete from sqlite_sequence where name = ${table}`,
    sql`insert into sqlite_sequence (name, seq) values (${table}, ${last})`,
  ],
}
