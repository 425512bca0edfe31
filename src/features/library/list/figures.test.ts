/**
 * The database maintains the figures of folders, of files never retrieved and the search index: they are
 * right however rows are written.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { WHOLE_LIBRARY } from '../../../http/access/library-area.ts'
import { foldersWithFiles } from '../../folders/folders.store.ts'
import { findByPath, putRow } from '../../media/media.store.ts'
import { countNeverRetrieved } from '../../statistics/overview.store.ts'
import { moveToTrash } from '../../trash/move-to-trash.ts'
import { restoreEntries } from '../../trash/trash.store.ts'
import { type LibraryInstance, openLibraryInstance } from '../testing.ts'

let library: LibraryInstance
beforeAll(async () => {
  library = await openLibraryInstance()
})
afterAll(() => library[Symbol.asyncDispose]())

const PATHS = [
  'top.png',
  'one/Alpha.png',
  'one/alpha-beta.png',
  'one/two/gamma.png',
  'one.two/x.png',
  'zz/9.png',
]
const path = fc.constantFrom(...PATHS)
const action = fc.oneof(
  fc.record({
    what: fc.constant('put' as const),
    path,
    size: fc.nat(9),
    kind: fc.constantFrom('bilder', 'video'),
  }),
  fc.record({ what: fc.constantFrom('delete', 'trash', 'restore', 'count'), path }),
  fc.record({ what: fc.constant('rename' as const), path, to: path }),
)
type Action = Partial<{ size: number; kind: string; to: string }> & { what: string; path: string }

const perform = (act: Action) =>
  library.database.transaction(async tx => {
    const row = await findByPath(tx, act.path)
    if (act.what === 'put') {
      const { size = 0, kind } = act
      await putRow(tx, library.row(act.path, { size, kind: kind as 'bilder' }))
    }
    const [thrown] = await tx.selectFrom('trash').selectAll().where('path', '=', act.path).execute()
    if (act.what === 'restore' && thrown && !row)
      await restoreEntries(tx, [{ ...thrown, placed_at: 1, restored_at: 1 }], () => 'done')
    if (!row) return
    const here = tx.updateTable('media').where('nr', '=', row.nr)
    if (act.what === 'delete') await tx.deleteFrom('media').where('nr', '=', row.nr).execute()
    if (act.what === 'trash') await moveToTrash(tx, [row], 'service', { at: 1, action: 'a' })
    if (act.what === 'count') await here.set({ retrievals: row.retrievals + 1 }).execute()
    if (act.what === 'rename' && !(await findByPath(tx, act.to!))) await here.set({ path: act.to! }).execute()
  })

async function check(): Promise<void> {
  const { read, queryTraits } = library.database
  const rows = await read.selectFrom('media').select(['nr', 'path', 'folder', 'size', 'retrievals']).execute()
  for (const row of rows) expect(row.folder).toBe(row.path.slice(0, row.path.lastIndexOf('/') + 1))
  const counted = Map.groupBy(rows, row => row.folder)
  const expected = [...counted].map(([key, inside]) => ({
    key,
    files: inside.length,
    bytes: inside.reduce((sum, { size }) => sum + size, 0),
  }))
  expect(await foldersWithFiles(read, WHOLE_LIBRARY)).toEqual(
    expected.sort((one, other) => (one.key < other.key ? -1 : 1)),
  )
  expect(await countNeverRetrieved(read, WHOLE_LIBRARY)).toBe(
    rows.filter(({ retrievals }) => retrievals < 1).length,
  )
  for (const text of ['alpha', 'one/', '.png', 'ONE.', 'gamma', 'a-b']) {
    const found = await sql<{
      nr: number
    }>`select nr from ${queryTraits.pathsContaining(text)} as hits`.execute(read)
    const wanted = rows.filter(row => row.path.toLowerCase().includes(text.toLowerCase()))
    expect(found.rows.map(({ nr }) => nr).sort()).toEqual(wanted.map(({ nr }) => nr).sort())
  }
}

test('after any sequence of stores, overwrites, renames, deletions, restores', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 30 }), async actions => {
      await library.clear()
      for (const act of actions) await perform(act as Action)
      await check()
      // Merging segments of the search index does not change what is found.
      await library.database.tidy(() => true)
      await check()
    }),
    { numRuns: 60 },
  )
})

test('tidying ends, also when it is told to', async () => {
  for (let at = 0; at < 100; at++) await library.add(library.row(`many/${at}-something.png`))
  let asked = 0
  await library.database.tidy(() => asked++ < 1)
  expect(asked).toBeLessThanOrEqual(2)
  await library.database.tidy(() => true)
})
