/**
 * Adds the kind of actor to each entry of `history` and `administration`, because an account may have the
 * same name as the service.
 */
import { type Kysely, sql } from 'kysely'

/** Before this migration, only this text at the beginning of `who` showed that a token had acted. */
const TOKEN_LABEL = 'Token '

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('history_who').execute()
  for (const table of ['history', 'administration']) {
    await db.schema
      .alterTable(table)
      // `account`, `token`, `service` or `operator` (the command line); later versions also use `drop`.
      .addColumn('who_kind', 'text', column => column.notNull().defaultTo('account'))
      .execute()
    // The kind is derived from the text of `who`. If an account of exactly that name exists or existed, the
    // entry counts as the account's.
    await sql`update ${sql.table(table)} set
        who_kind = case who when 'Fundus' then 'service' when 'Kommandozeile' then 'operator' else 'token' end,
        who = case when who in ('Fundus', 'Kommandozeile') then who else substr(who, ${sql.lit(TOKEN_LABEL.length + 1)}) end
      where (who in ('Fundus', 'Kommandozeile') or substr(who, 1, ${sql.lit(TOKEN_LABEL.length)}) = ${sql.lit(TOKEN_LABEL)})
        and who not in (select name from account)
        and who not in (select new from administration where what = 'konto_erstellt' and new is not null)`.execute(
      db,
    )
  }
  // Up to this migration, only accounts create share links and put files into the trash. So a name that reads
  // like another kind of actor gets the prefix `Konto ` (`contract/accounts/actors.ts`).
  for (const [table, column] of [
    ['share', 'created_by'],
    ['trash', 'deleted_by'],
  ] as const) {
    const actorName = sql.ref(column)
    await sql`update ${sql.table(table)} set ${actorName} = 'Konto ' || ${actorName}
      where lower(${actorName}) in ('fundus', 'kommandozeile') or lower(substr(${actorName}, 1, 6)) in ('token ', 'konto ')`.execute(
      db,
    )
  }
  // With this index alone, the entries of one actor are counted, and those of a page are found.
  await db.schema.createIndex('history_who').on('history').columns(['who', 'who_kind', 'nr']).execute()
}
