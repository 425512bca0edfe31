/** Histories that were written before the kind of an actor stood apart from its name (migration 0017). */
import { Database as Connection } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { openFolder } from '../../../test/support/folder.ts'
import { openSqlite } from '../../database/sqlite/sqlite.ts'
import { actorTextOfRow } from '../../http/access/actor.ts'
import { WHOLE_LIBRARY } from '../../http/access/library-area.ts'
import { listAdministrationEntries } from './administration.store.ts'
import { countHistoryEntries, listHistory } from './history.list.ts'

/** In the order in which they were written. `Kommandozeile` is also the name of a former account here. */
const WRITTEN = ['Fundus', 'Token Bot', 'anna', 'tokenlos', 'Token nora', 'Kommandozeile']
const SHOWN = ['Fundus', 'Token Bot', 'anna', 'tokenlos', 'Konto Token nora', 'Konto Kommandozeile']

function asBefore(file: string): void {
  using connection = new Connection(file)
  connection.run('drop index history_who')
  for (const table of ['history', 'administration'])
    connection.run(`alter table ${table} drop column who_kind`)
  connection.run('create index history_who on history (who, nr)')
  connection.run(`delete from migration where name = '0017-actor-kinds'`)
  for (const who of WRITTEN)
    connection.run(`insert into history (at, what, path, who, bytes) values (1, 'entfernt', 'a', ?, 1)`, [
      who,
    ])
  connection.run(`insert into administration (at, who, what, new) values
    (1, 'Fundus', 'konto_erstellt', 'anna'), (2, 'anna', 'konto_erstellt', 'Kommandozeile'), (3, 'Token Bot', 'DIENST', 'x')`)
  connection.run(`insert into account (id, name, name_key, password, created_at)
    values ('1', 'Token nora', 'token nora', 'x', 1)`)
  connection.run(`insert into share (key, folder, created_at, created_by)
    values ('a', 'f', 1, 'anna'), ('b', 'f', 1, 'Fundus')`)
}

test('a data folder of before opens, and its entries keep who they were', async () => {
  await using folder = await openFolder()
  const file = join(folder.path, 'fundus.db')
  await (await openSqlite({ file })).close()
  asBefore(file)
  const database = await openSqlite({ file })
  const history = await listHistory(database.read, {}, WHOLE_LIBRARY, { limit: 10 })
  expect(history.map(actorTextOfRow).reverse()).toEqual(SHOWN)
  const administration = await listAdministrationEntries(database.read, { limit: 10 })
  expect(administration.map(actorTextOfRow).reverse()).toEqual(['Fundus', 'anna', 'Token Bot'])
  for (const wer of SHOWN) expect(await countHistoryEntries(database.read, { wer }, WHOLE_LIBRARY)).toBe(1)
  const shares = await database.read.selectFrom('share').select('created_by').orderBy('key').execute()
  expect(shares.map(share => share.created_by)).toEqual(['anna', 'Konto Fundus'])
  await database.close()
})
