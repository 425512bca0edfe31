/** Rows and how they are found: paths, numbers, texts, figures and orders. */
import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import type { Queries } from '../../../src/database/database.ts'
import { naturalKey, sortNaturally } from '../../../src/database/natural-key.ts'
import { putRow } from '../../../src/features/media/media.store.ts'
import { type Opened, pathsIn, sampleRow } from '../database.ts'

export function rowsConform(on: Opened): void {
  test('the look-up finds by exact path, and null otherwise', async () => {
    await on.database.transaction(tx => putRow(tx, sampleRow('Case/A.png')))
    expect(await on.database.servedFile('Case/A.png')).toMatchObject({ derived: 'done', variant_size: null })
    expect(await on.database.servedFile('case/a.png')).toBeNull()
    expect(await on.database.servedFile("x' or 1=1 --")).toBeNull()
  })

  test('overwriting keeps number and retrievals, and forgets what was derived', async () => {
    const nr = await on.database.transaction(tx => putRow(tx, sampleRow('over', 'first')))
    await on.database.transaction(tx =>
      tx
        .updateTable('media')
        .set({ retrievals: 7, variant_size: 1, width: 9, derive_attempts: 2 })
        .where('nr', '=', nr)
        .execute(),
    )
    expect(await on.database.transaction(tx => putRow(tx, sampleRow('over', 'second')))).toBe(nr)
    const row = await on.database.read
      .selectFrom('media')
      .selectAll()
      .where('nr', '=', nr)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({
      id: 'second',
      retrievals: 7,
      variant_size: null,
      width: null,
      derive_attempts: 0,
    })
  })

  test('paths sort and compare by their bytes', async () => {
    for (const path of ['z/b', 'z/B', 'z/a-', 'z/a/x', 'z0'])
      await on.database.transaction(tx => putRow(tx, sampleRow(path)))
    expect((await pathsIn(on.database)).filter(path => path.startsWith('z'))).toEqual([
      'z/B',
      'z/a-',
      'z/a/x',
      'z/b',
      'z0',
    ])
    const below = await on.database.read
      .selectFrom('media')
      .select('path')
      .where('path', '>=', 'z/')
      .where('path', '<', 'z0')
      .execute()
    expect(below.length).toBe(4)
  })

  test('the last number of a table is known also when its row is gone, and can be set', async () => {
    const { queryTraits, read } = on.database
    const last = async () => Number((await queryTraits.lastNumber('trash').execute(read)).rows[0]?.last ?? 0)
    expect(await last()).toBe(0)
    const { derived: _, ...kept } = sampleRow('numbered')
    const add = (id: string) =>
      on.database.transaction(async tx => {
        const values = { ...kept, id, media_nr: null, retrievals: 0, deleted_at: 1, deleted_by: 'x' }
        return (await tx.insertInto('trash').values(values).returning('nr').executeTakeFirstOrThrow()).nr
      })
    const first = await add('number-1')
    await on.database.transaction(tx => tx.deleteFrom('trash').execute())
    expect(await last()).toBe(first)
    await on.database.transaction(async tx => {
      for (const statement of queryTraits.continueNumberingAfter('trash', 500)) await statement.execute(tx)
    })
    expect([await last(), await add('number-2'), await last()]).toEqual([500, 501, 501])
    await on.database.transaction(tx => tx.deleteFrom('trash').execute())
  })

  test('the folder of a path is known without being told', async () => {
    for (const path of ['folderless', 'in/one', 'in/one.two/x', 'in/A-b.c/9'])
      await on.database.transaction(tx => putRow(tx, sampleRow(path)))
    const rows = await on.database.read.selectFrom('media').select(['path', 'folder']).execute()
    for (const { path, folder } of rows) expect(folder).toBe(path.slice(0, path.lastIndexOf('/') + 1))
  })

  test('paths are found by any part of them, whatever its case', async () => {
    for (const path of ['seek/Alpha_1.png', 'seek/alphabet', 'seek/be%ta'])
      await on.database.transaction(tx => putRow(tx, sampleRow(path)))
    const { queryTraits, read } = on.database
    const found = async (text: string, limit?: number) => {
      const hits = queryTraits.pathsContaining(text, limit)
      const by = await sql<{
        path: string
      }>`select path from media where nr in ${hits} order by path`.execute(read)
      return by.rows.map(row => row.path)
    }
    const seen = async (text: string) =>
      (
        await read
          .selectFrom('media')
          .select('path')
          .where(queryTraits.contains('path', text))
          .orderBy('path')
          .execute()
      ).map(row => row.path)
    for (const text of ['ALPHA', 'a_1', 'k/a', 'seek/', '.png'])
      expect(await found(text)).toEqual(await seen(text))
    expect(await found('alpha')).toEqual(['seek/Alpha_1.png', 'seek/alphabet'])
    expect(await found('alpha', 1)).toHaveLength(1)
    expect(await seen('_')).toEqual(['seek/Alpha_1.png'])
    expect(await seen('e%t')).toEqual(['seek/be%ta'])
    for (const text of ['"', "'", '*', 'alpha"', '%%%']) expect(await found(`${text}xyz`)).toEqual([])
    await on.database.transaction(tx =>
      tx.updateTable('media').set({ path: 'seek/omega' }).where('path', '=', 'seek/alphabet').execute(),
    )
    await on.database.transaction(tx =>
      tx.deleteFrom('media').where('path', '=', 'seek/Alpha_1.png').execute(),
    )
    expect([await found('alpha'), await found('OMEGA')]).toEqual([[], ['seek/omega']])
  })

  test('every character of a text comes back as it was stored, NUL and beyond the first plane included', async () => {
    const odd = ['a\0b', '\0', 'ä€😀', '\u{10FFFD}', 'line\nend', "quote's", 'back\\slash']
    for (const [at, name] of odd.entries()) {
      const share = { key: `odd-${at}`, folder: name, valid_until: null, created_at: 1, created_by: name }
      await on.database.transaction(tx => tx.insertInto('share').values(share).execute())
      const [found, ...others] = await on.database.read
        .selectFrom('share')
        .selectAll()
        .where('folder', '=', name)
        .execute()
      expect([found, others]).toEqual([share, []])
    }
    await on.database.currentState()
    expect(await on.database.servedFile('a\0b')).toBeNull()
  })

  test('numbers are numbers: large ones, sums, counts and those that are not there', async () => {
    const size = 2 ** 45 + 1
    await on.database.transaction(tx => putRow(tx, { ...sampleRow('large'), size }))
    const row = await on.database.read
      .selectFrom('media')
      .selectAll()
      .where('path', '=', 'large')
      .executeTakeFirstOrThrow()
    expect([row.size, typeof row.nr, row.width, row.retrieved_at]).toEqual([size, 'number', null, null])
    const { rows } = await sql<{ count: number; none: number }>`select count(*) as count,
      max(retrieved_at) as none from media where path = 'large'`.execute(on.database.read)
    expect(rows).toEqual([{ count: 1, none: null as unknown as number }])
  })

  test('files and bytes of folders, tokens and trash are right after every statement', async () => {
    const [folder, kind] = ['counted/', 'dokumente' as const]
    const figures = async () => {
      const { read } = on.database
      const inFolder = await read
        .selectFrom('folder_usage')
        .select(['kind', 'files', 'bytes'])
        .where('folder', '=', folder)
        .execute()
      const ofToken = await read
        .selectFrom('token_usage')
        .select(['files', 'bytes'])
        .where('token_id', '=', 'counting')
        .execute()
      return { inFolder, ofToken, trash: await read.selectFrom('trash_total').selectAll().execute() }
    }
    const rows = [1, 2, 3].map(size => ({ ...sampleRow(`counted/${size}`), size, token_id: 'counting' }))
    const change = (work: (tx: Queries) => Promise<unknown>) => on.database.transaction(work)
    await change(tx => tx.insertInto('media').values(rows).execute())
    const none = [{ files: 0, bytes: 0 }]
    const all = { inFolder: [{ kind, files: 3, bytes: 6 }], ofToken: [{ files: 3, bytes: 6 }], trash: none }
    expect(await figures()).toEqual(all)
    await change(tx => tx.updateTable('media').set({ retrievals: 5 }).where('folder', '=', folder).execute())
    expect(await figures()).toEqual(all)
    await change(tx => tx.updateTable('media').set({ size: 10 }).where('path', '=', 'counted/1').execute())
    await change(tx => putRow(tx, { ...rows[1]!, id: 'again', size: 20, token_id: null }))
    const later = { inFolder: [{ kind, files: 3, bytes: 33 }], ofToken: [{ files: 2, bytes: 13 }] }
    expect(await figures()).toEqual({ ...later, trash: none })
    await change(tx =>
      tx.updateTable('media').set({ path: sql`'elsewhere/' || nr` }).where('folder', '=', folder).execute(),
    )
    expect(await figures()).toEqual({ ...later, inFolder: [], trash: none })
    await change(tx => tx.deleteFrom('media').where('folder', '=', 'elsewhere/').execute())
    expect((await figures()).ofToken).toEqual([{ files: 0, bytes: 0 }])
    const entries = rows.map(({ derived: _, ...kept }) => ({ ...kept, retrievals: 0, deleted_at: 1 }))
    await change(tx =>
      tx
        .insertInto('trash')
        .values(entries.map(each => ({ ...each, deleted_by: 'x' })))
        .execute(),
    )
    await change(tx => tx.updateTable('trash').set({ size: 8 }).where('path', '=', 'counted/1').execute())
    expect((await figures()).trash).toEqual([{ files: 3, bytes: 13 }])
    await change(tx => tx.deleteFrom('trash').execute())
    expect((await figures()).trash).toEqual(none)
  })

  test('never retrieved comes first in the order of retrieval, and numbers decide between equals', async () => {
    const given: [string, number | null, number][] = [
      ['order/a', null, 5],
      ['order/b', 7, 5],
      ['order/c', null, 4],
      ['order/d', 3, 5],
    ]
    for (const [path, retrieved_at, size] of given)
      await on.database.transaction(tx => putRow(tx, { ...sampleRow(path), size, retrieved_at }))
    const ordered = async (order: string) => {
      const { rows } = await sql<{ path: string }>`select path from media where folder = 'order/'
        order by ${sql.raw(order)}`.execute(on.database.read)
      return rows.map(({ path }) => path.slice('order/'.length)).join('')
    }
    expect(await ordered('retrieved_at asc nulls first, nr asc')).toBe('acdb')
    expect(await ordered('retrieved_at desc nulls last, nr desc')).toBe('bdca')
    expect(await ordered('size asc, nr asc')).toBe('cabd')
    expect(await ordered('path desc')).toBe('dcba')
  })

  test('the key of the natural order is kept by the engine, for new rows and for changed paths', async () => {
    const names = [
      'n/a-3.png',
      'n/a-0011.png',
      'n/7',
      'n/a123456789b',
      'n/a',
      'n/00',
      'n/x99999999.1-22',
      'n/9a9',
    ]
    for (const name of names) await on.database.transaction(tx => putRow(tx, sampleRow(name)))
    await on.database.transaction(tx =>
      tx.updateTable('media').set({ path: 'n/b-40.png' }).where('path', '=', 'n/a').execute(),
    )
    const rows = await on.database.read
      .selectFrom('media')
      .select(['path', 'natural_key'])
      .where('path', 'like', 'n/%')
      .orderBy('natural_key')
      .orderBy('path')
      .execute()
    expect(rows.map(({ natural_key }) => natural_key)).toEqual(rows.map(({ path }) => naturalKey(path)))
    expect(rows).toEqual(sortNaturally(rows, ({ path }) => path))
    expect(rows).toHaveLength(names.length)
  })
}
