/** The index behind every search finds what examining each path finds, however the rows were changed. */
import { Database as Connection } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { sql } from 'kysely'
import { useFolder } from '../../../test/support/folder.ts'
import { putRow } from '../../features/media/media.store.ts'
import type { Database } from '../database.ts'
import { openSqlite } from './sqlite.ts'

const root = await useFolder()

const PATHS = ['a.png', 'ab', 'x/AB-c.PNG', 'x/y_z/100.txt', 'x9/Zz..z', 'q', 'qq', 'long/er/path/ab.ab']
const TEXTS = ['ab', 'AB', 'ng', 'xt', '.z', 'x/', '/y', '_z', '00', 'qq', 'zq', 'png', 'b.a', 'path/ab.ab']

async function put(database: Database, path: string, nr: number): Promise<void> {
  const rest = { sha256: 'f', mime: 'text/plain', kind: 'dokumente' as const, derived: 'done' as const }
  const row = { id: `id${nr}`, path, object: 'files/x', size: 1, token_id: null, ...rest }
  await database.transaction(tx => putRow(tx, { ...row, created_at: 1, updated_at: 1 }))
}

/** Every text, by index and by examining each path. */
async function expectFound(database: Database): Promise<void> {
  const { read, queryTraits } = database
  for (const text of TEXTS) {
    const { rows: found } = await sql<{
      nr: number
    }>`select nr from ${queryTraits.pathsContaining(text)}`.execute(read)
    const seen = await read
      .selectFrom('media')
      .select('nr')
      .where(queryTraits.contains('path', text))
      .execute()
    const numbers = (rows: { nr: number }[]) => rows.map(({ nr }) => nr).sort((one, other) => one - other)
    expect([text, numbers(found)]).toEqual([text, numbers(seen)])
  }
}

describe('two characters and more, also the last ones of a path', () => {
  test('of files that came, moved and went', async () => {
    const database = await openSqlite({ file: join(root, 'life.db') })
    for (const [nr, path] of PATHS.entries()) await put(database, path, nr)
    await expectFound(database)
    await database.transaction(async tx => {
      await tx.updateTable('media').set({ path: 'moved/zq.xt' }).where('path', '=', 'a.png').execute()
      await tx.deleteFrom('media').where('path', '=', 'ab').execute()
    })
    await expectFound(database)
    await database.close()
  })

  test('in a data folder from before they were: the index is made anew', async () => {
    const file = join(root, 'before.db')
    const made = await openSqlite({ file })
    for (const [nr, path] of PATHS.entries()) await put(made, path, nr)
    await made.close()
    asBefore(file)
    const database = await openSqlite({ file })
    await expectFound(database)
    await put(database, 'later/zq', 99)
    await expectFound(database)
    await database.close()
  })
})

/** The index as migration 0006 first made it: without the end character after the texts. */
function asBefore(file: string): void {
  using connection = new Connection(file)
  for (const statement of [
    `insert into media_search (media_search) values ('delete-all')`,
    `insert into media_search (rowid, path) select nr, path from media`,
    ...['in', 'out', 'change'].map(event => `drop trigger media_search_${event}`),
    ...['in', 'out', 'change'].map(
      event => `create trigger media_search_${event} after delete on media begin select 1; end`,
    ),
    `delete from migration where name = '0014-short-search'`,
  ])
    connection.run(statement)
}
