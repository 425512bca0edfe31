/** The trash and the library have the same columns of a file, also beside a newer version that adds some. */
import { afterAll, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { WHOLE_LIBRARY } from '../../http/access/library-area.ts'
import { findByPath } from '../media/media.store.ts'
import { COLUMNS_KEPT_IN_TRASH } from '../media/trash-entries.ts'
import { openTrashInstance } from './testing.ts'

const world = await openTrashInstance()
const { database, trash } = world
afterAll(() => world[Symbol.asyncDispose]())

const columnsOf = async (table: string) => {
  const { rows } = await sql<{ name: string }>`select name from pragma_table_info(${table})`.execute(
    database.read,
  )
  return rows.map(({ name }) => name)
}

test('every column of both tables is kept, but the number', async () => {
  const trashColumns = await columnsOf('trash')
  const inBoth = (await columnsOf('media')).filter(column => trashColumns.includes(column))
  const kept = [...COLUMNS_KEPT_IN_TRASH, 'nr']
  expect(inBoth.toSorted()).toEqual(kept.toSorted())
})

test('columns of a newer version in one of the tables prevent neither deleting nor restoring', async () => {
  await database.transaction(async tx => {
    await sql`alter table media add column only_in_media text`.execute(tx)
    await sql`alter table trash add column only_in_trash text`.execute(tx)
  })
  await world.store('a.png', 'content')
  const before = (await findByPath(database.read, 'a.png'))!
  const nr = await world.throwAway('a.png')
  const { restoredFiles } = await trash.restore([nr], 'service', { allowedArea: WHOLE_LIBRARY })
  expect(restoredFiles).toMatchObject([{ path: 'a.png', mediaNr: before.nr }])
  const { id, sha256, created_at, natural_key } = before
  expect(await findByPath(database.read, 'a.png')).toMatchObject({ id, sha256, created_at, natural_key })
})
