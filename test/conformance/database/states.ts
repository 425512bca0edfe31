/** What each connection knows of the commits of others: states, snapshots, settings, the clock. */
import { expect, test } from 'bun:test'
import type { Database, Queries } from '../../../src/database/database.ts'
import { putRow } from '../../../src/features/media/media.store.ts'
import { DERIVED_COLUMNS } from '../../../src/storage/derived-parts.ts'
import { type Opened, pathsIn, sampleRow } from '../database.ts'

export function statesConform(on: Opened): void {
  const versionOf = async (through: Database) => (await through.currentState()).version

  test('the state is another one after every commit, whoever makes it, and by nothing else', async () => {
    const other = await on.again()
    const still = await on.database.currentState()
    await on.database.read.selectFrom('media').select('path').execute()
    expect(await on.database.currentState()).toBe(still)
    expect(on.database.knownState()).toBe(still)
    for (const through of [on.database, other]) {
      const before = [await versionOf(on.database), await versionOf(other)]
      await through.transaction(tx => putRow(tx, sampleRow(`version-${through === other}`)))
      const after = [await versionOf(on.database), await versionOf(other)]
      expect(after[0]).not.toBe(before[0]!)
      expect(after[1]).not.toBe(before[1]!)
      expect(on.database.knownState().version).toBe(after[0]!)
    }
    await other.close()
  })

  test('of a hundred changes elsewhere each is seen by whoever asks for the state and then for the file', async () => {
    const other = await on.again()
    await on.database.transaction(tx => putRow(tx, { ...sampleRow('watched', 'watched-0'), size: 0 }))
    for (let size = 1; size <= 100; size++) {
      await other.transaction(tx => putRow(tx, { ...sampleRow('watched', `watched-${size}`), size }))
      // Two concurrent readers, of which the second finds what the first has cached.
      const seen = await Promise.all(
        [1, 2].map(async () => {
          await on.database.currentState()
          return (await on.database.servedFile('watched'))?.size
        }),
      )
      expect(seen).toEqual([size, size])
    }
    await other.close()
  })

  test('a change of nothing but a derived file is seen elsewhere, and the trash can keep it', async () => {
    const other = await on.again()
    const row = sampleRow('derived-elsewhere')
    const nr = await on.database.transaction(tx => putRow(tx, row))
    for (const column of DERIVED_COLUMNS) {
      await on.database.currentState()
      expect((await on.database.servedFile(row.path))?.[column]).toBeNull()
      const value = column.endsWith('_size') ? 7 : 'abcdef'
      await other.transaction(tx =>
        tx
          .updateTable('media')
          .set({ [column]: value })
          .where('nr', '=', nr)
          .execute(),
      )
      await on.database.currentState()
      expect((await on.database.servedFile(row.path))?.[column]).toBe(value)
    }
    await on.database.read.selectFrom('trash').select(DERIVED_COLUMNS).execute()
    await other.close()
  })

  test('saved settings are those of the last commit, of every connection', async () => {
    const other = await on.again()
    const saved = async (through: Database) => [...(await through.currentState()).settings]
    expect(await saved(on.database)).toEqual([])
    await other.transaction(tx => tx.insertInto('setting').values({ name: 'DIENST', value: '"x"' }).execute())
    expect(await saved(on.database)).toEqual([['DIENST', '"x"']])
    await on.database.transaction(async tx => {
      await tx.deleteFrom('setting').execute()
      expect(await saved(on.database)).toHaveLength(1)
    })
    expect([await saved(on.database), await saved(other)]).toEqual([[], []])
    await other.close()
  })

  test('a snapshot stays at its state while others write, and holds them up in nothing', async () => {
    await on.database.transaction(tx => putRow(tx, sampleRow('moment/before')))
    const seen = async (at: Queries) =>
      (await at.selectFrom('media').select('path').where('path', 'like', 'moment/%').execute()).map(
        row => row.path,
      )
    const other = await on.again()
    await on.database.snapshot(async at => {
      await other.transaction(tx => putRow(tx, sampleRow('moment/after')))
      await on.database.transaction(tx =>
        tx.deleteFrom('media').where('path', '=', 'moment/before').execute(),
      )
      expect(await seen(at)).toEqual(['moment/before'])
      expect(await seen(on.database.read)).toEqual(['moment/after'])
      // Two concurrent snapshots, each with its own state.
      await on.database.snapshot(async later => expect(await seen(later)).toEqual(['moment/after']))
      expect(await seen(at)).toEqual(['moment/before'])
    })
    await other.close()
  })

  test('a snapshot cannot write, and passes an error on', async () => {
    const writing = on.database.snapshot(at => at.deleteFrom('media').execute())
    await expect(writing).rejects.toThrow()
    await expect(on.database.snapshot(() => Promise.reject(new Error('trouble')))).rejects.toThrow('trouble')
    expect((await pathsIn(on.database)).length).toBeGreaterThan(0)
  })

  test('browsing sees what reading sees', async () => {
    await on.database.transaction(tx => putRow(tx, sampleRow('browsed')))
    const query = (db: Queries) =>
      db.selectFrom('media').select(['nr', 'path', 'size']).orderBy('path').execute()
    expect(await query(on.database.slowRead)).toEqual(await query(on.database.read))
  })

  test('the clock of the database is that of this machine, within what the way takes', async () => {
    await on.database.currentState()
    expect(Math.abs(on.database.clockOffset())).toBeLessThan(2_000)
  })

  test('tidying comes to an end', async () => {
    await on.database.tidy(() => true)
    await on.database.tidy(() => false)
  })

  test('opening again keeps everything', async () => {
    const before = await pathsIn(on.database)
    const other = await on.again()
    expect(
      (await other.read.selectFrom('media').select('path').orderBy('path').execute()).map(row => row.path),
    ).toEqual(before)
    await other.close()
  })
}
