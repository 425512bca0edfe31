/**
 * The triggers that maintain figures, such as the files and bytes of each folder and each token, and those
 * that delete the rows of `picture_size`. On SQLite such triggers run for each row. PostgreSQL keeps every
 * version of an updated row until the transaction ends, so changing the figures of a folder ten thousand
 * times would take quadratic time. The triggers in this file therefore run once per statement and add up all
 * changed rows, unless stated otherwise.
 */

/** Names of the transition tables, in which a trigger finds the new and old versions of the changed rows. */
const [NEW_ROWS, OLD_ROWS] = ['gained', 'lost']

interface TriggerEvent {
  name: 'insert' | 'update' | 'delete'
  /** The clause that names the transition tables. */
  referencingClause: string
  /**
   * Returns SQL that selects these columns of each changed row, and a column `sign`: 1 for the row's new
   * version, -1 for its old one.
   */
  selectChanges(columns: readonly string[]): string
}

const TRIGGER_EVENTS: readonly TriggerEvent[] = [
  {
    name: 'insert',
    referencingClause: `new table as ${NEW_ROWS}`,
    selectChanges: columns => `select ${columns.join(', ')}, 1 as sign from ${NEW_ROWS}`,
  },
  {
    name: 'delete',
    referencingClause: `old table as ${OLD_ROWS}`,
    selectChanges: columns => `select ${columns.join(', ')}, -1 as sign from ${OLD_ROWS}`,
  },
  {
    name: 'update',
    referencingClause: `old table as ${OLD_ROWS} new table as ${NEW_ROWS}`,
    selectChanges(columns) {
      const columnsOf = (row: string) => columns.map(column => `${row}.${column}`).join(', ')
      const fromChangedRows = `from ${NEW_ROWS} n join ${OLD_ROWS} o on o.nr = n.nr where (${columnsOf('n')}) is distinct from (${columnsOf('o')})`
      return `select ${columnsOf('n')}, 1 as sign ${fromChangedRows} union all select ${columnsOf('o')}, -1 ${fromChangedRows}`
    },
  },
]

const SUM_COLUMNS = 'sum(sign) as files, sum(sign * size) as bytes'
const totalsUpdateClause = (table: string) =>
  `files = ${table}.files + excluded.files, bytes = ${table}.bytes + excluded.bytes`

function mediaCountStatements({ selectChanges }: TriggerEvent): string {
  const [folderChanges, tokenChanges] = [
    selectChanges(['folder', 'kind', 'size']),
    selectChanges(['token_id', 'size']),
  ]
  return `
    insert into folder_usage (folder, kind, files, bytes)
      select folder, kind, ${SUM_COLUMNS} from (${folderChanges}) as change group by folder, kind
      on conflict (folder, kind) do update set ${totalsUpdateClause('folder_usage')};
    delete from folder_usage where files = 0
      and (folder, kind) in (select folder, kind from (${folderChanges}) as change where sign < 0);
    insert into token_usage (token_id, files, bytes)
      select token_id, ${SUM_COLUMNS} from (${tokenChanges}) as change where token_id is not null group by token_id
      on conflict (token_id) do update set ${totalsUpdateClause('token_usage')};`
}

const trashCountStatement = ({ selectChanges }: TriggerEvent) => `
    update trash_total set files = trash_total.files + change.files, bytes = trash_total.bytes + change.bytes
      from (select ${SUM_COLUMNS} from (${selectChanges(['size'])}) as each) as change where change.files is not null;`

const triggerStatements = (table: string, countStatements: (event: TriggerEvent) => string) =>
  TRIGGER_EVENTS.flatMap(event => [
    `create function ${table}_counted_${event.name}() returns trigger language plpgsql as $$ begin
      ${countStatements(event)}
      return null;
    end $$`,
    `create trigger ${table}_counted_${event.name} after ${event.name} on ${table} referencing ${event.referencingClause}
      for each statement execute function ${table}_counted_${event.name}()`,
  ])

/**
 * Statements of migration 0022. They count the existing rows, because a restore inserts rows before it
 * applies this migration, and create the triggers.
 */
export const COUNT_STATEMENTS: readonly string[] = [
  'delete from folder_usage',
  `insert into folder_usage (folder, kind, files, bytes)
    select folder, kind, count(*), sum(size) from media group by folder, kind`,
  'delete from token_usage',
  `insert into token_usage (token_id, files, bytes)
    select token_id, count(*), sum(size) from media where token_id is not null group by token_id`,
  'update trash_total set files = (select count(*) from trash), bytes = (select coalesce(sum(size), 0) from trash)',
  ...triggerStatements('media', mediaCountStatements),
  ...triggerStatements('trash', trashCountStatement),
]

/**
 * Statements that create the triggers for the number of files that were never retrieved. The trigger for
 * changed retrieval counters runs per row, because one statement changes the counters of only about a hundred
 * files.
 */
export const UNRETRIEVED_STATEMENTS: readonly string[] = [
  ...TRIGGER_EVENTS.filter(({ name }) => name !== 'update').flatMap(
    ({ name, referencingClause, selectChanges }) => [
      `create function media_unretrieved_${name}() returns trigger language plpgsql as $$ begin
      update unretrieved_total set files = unretrieved_total.files + change.files
        from (select sum(sign) as files from (${selectChanges(['retrievals'])}) as each where retrievals < 1) as change
        where change.files is not null;
      return null;
    end $$`,
      `create trigger media_unretrieved_${name} after ${name} on media referencing ${referencingClause}
      for each statement execute function media_unretrieved_${name}()`,
    ],
  ),
  `create function media_unretrieved_update() returns trigger language plpgsql as $$ begin
    update unretrieved_total set files = files + case when new.retrievals < 1 then 1 else -1 end;
    return null;
  end $$`,
  `create trigger media_unretrieved_update after update of retrievals on media
    for each row when ((old.retrievals < 1) <> (new.retrievals < 1)) execute function media_unretrieved_update()`,
]

/**
 * Statements of migration 0060, which create triggers: when a file's content is deleted or replaced, they
 * delete its rows in `picture_size` and put the objects on the discard list. The trigger for deletions runs
 * per statement, because a folder of many files is deleted at once; the trigger for replaced contents runs
 * per row.
 */
export const PICTURE_SIZE_STATEMENTS: readonly string[] = [
  `create function media_picture_size_out() returns trigger language plpgsql as $$ begin
    with gone as (
      delete from picture_size using lost where picture_size.source = lost.id returning picture_size.object
    )
    insert into discard (object, due_at) select object, 0 from gone where object is not null;
    return null;
  end $$`,
  `create trigger media_picture_size_out after delete on media referencing old table as ${OLD_ROWS}
    for each statement execute function media_picture_size_out()`,
  `create function media_picture_size_change() returns trigger language plpgsql as $$ begin
    with gone as (delete from picture_size where source = old.id returning object)
    insert into discard (object, due_at) select object, 0 from gone where object is not null;
    return null;
  end $$`,
  `create trigger media_picture_size_change after update of id on media
    for each row when (old.id <> new.id) execute function media_picture_size_change()`,
]
