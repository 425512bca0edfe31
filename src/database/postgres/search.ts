/**
 * SQL of migration 0035 for PostgreSQL: the search for paths, the indexes for reading lists in pages, and the
 * triggers for the sort key. Lower-case paths are in a table of their own, `media_search`: PostgreSQL
 * compares each index hit with the text in the row, and rows of `media` are five times as wide. Also,
 * changing the download counter of a file (`retrievals`) rewrites the entries in all indexes of `media`, but
 * not in the indexes of another table.
 */

const SEARCH_TABLE_STATEMENTS = [
  'drop index media_search',
  'create table media_search (nr bigint primary key, path text collate "C" not null)',
  'insert into media_search (nr, path) select nr, lower(path) from media',
  'create index media_search_text on media_search using gin (path gin_trgm_ops)',
  `create function media_searched_insert() returns trigger language plpgsql as $$ begin
    insert into media_search (nr, path) select nr, lower(path) from gained;
    return null;
  end $$`,
  `create trigger media_searched_insert after insert on media referencing new table as gained
    for each statement execute function media_searched_insert()`,
  `create function media_searched_delete() returns trigger language plpgsql as $$ begin
    delete from media_search using lost where media_search.nr = lost.nr;
    return null;
  end $$`,
  `create trigger media_searched_delete after delete on media referencing old table as lost
    for each statement execute function media_searched_delete()`,
  // Runs per row: a trigger per statement would need a transition table, which PostgreSQL does not allow
  // together with `of path`, so it would also fire whenever the retrievals of a file change.
  `create function media_searched_update() returns trigger language plpgsql as $$ begin
    update media_search set path = lower(new.path) where nr = new.nr;
    return null;
  end $$`,
  `create trigger media_searched_update after update of path on media for each row
    when (old.path <> new.path) execute function media_searched_update()`,
]

/**
 * Each index ends with the row number `nr`, so that the files on a page are found with the index alone, as in
 * SQLite. Without `nr`, PostgreSQL would have to fetch each row.
 */
const PAGE_INDEX_STATEMENTS = [
  ['media_natural', 'natural_key, path, nr'],
  [
    'media_gallery',
    'folder, natural_key, path, kind, token_id, size, updated_at, retrievals, retrieved_at, nr',
  ],
].flatMap(([name, columns]) => [`drop index ${name}`, `create index ${name} on media (${columns})`])

/**
 * Statements that replace the trigger for the sort key (`natural_key`) by two new ones. If an insert or
 * update sets the key itself, as a move of many files does, the new triggers keep that key.
 */
const SORT_KEY_TRIGGER_STATEMENTS = [
  'drop trigger media_natural_key on media',
  `create trigger media_natural_key_in before insert on media for each row
    when (new.natural_key = '') execute function media_natural_key()`,
  `create trigger media_natural_key_change before update of path on media for each row
    when (old.path <> new.path and old.natural_key = new.natural_key) execute function media_natural_key()`,
]

/** Statements of migration 0035: search table, indexes for pages, triggers of the sort key. */
export const SEARCH_STATEMENTS: readonly string[] = [
  ...SEARCH_TABLE_STATEMENTS,
  ...PAGE_INDEX_STATEMENTS,
  ...SORT_KEY_TRIGGER_STATEMENTS,
]
