/** The one suite that every database adapter passes. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import type { Database, Queries } from '../../src/database/database.ts'
import { inNaturalOrder, naturalKey } from '../../src/database/natural-key.ts'
import { together } from '../../src/database/together.ts'
import { putRow } from '../../src/features/media/media.store.ts'
import { DERIVED_COLUMNS } from '../../src/storage/derived-parts.ts'

export interface DatabaseUnderTest {
  database: Database
  /** The same database through a second connection, as another process has it. */
  again(): Promise<Database>
  dispose(): Promise<void>
}

export const sampleRow = (path: string, id = path.replaceAll('/', '')) => ({
  id,
  path,
  object: `files/${path}~${id}`,
  size: 3,
  sha256: 'f'.repeat(64),
  mime: 'text/plain',
  kind: 'dokumente' as const,
  token_id: null,
  created_at: 1,
  updated_at: 2,
  derived: 'done' as const,
})

export function databaseConformance(name: string, create: () => Promise<DatabaseUnderTest>): void {
  describe(`database port: ${name}`, () => {
    let subject: DatabaseUnderTest
    let database: Database

    beforeAll(async () => {
      subject = await create()
      database = subject.database
    })
    afterAll(() => subject.dispose())

    const paths = async () =>
      (await database.read.selectFrom('media').select('path').orderBy('path').execute()).map(row => row.path)

    test('what a transaction wrote is read afterwards, by every connection', async () => {
      await database.transaction(tx => putRow(tx, sampleRow('seen')))
      const other = await subject.again()
      expect(await other.servedFile('seen')).toMatchObject({ id: 'seen', size: 3, mime: 'text/plain' })
      await other.close()
    })

    test('a transaction that rejects leaves nothing, and those beside it stay', async () => {
      const outcomes = await Promise.allSettled([
        database.transaction(tx => putRow(tx, sampleRow('beside-1'))),
        database.transaction(async tx => {
          await putRow(tx, sampleRow('refused'))
          throw new Error('refused')
        }),
        database.transaction(tx => putRow(tx, sampleRow('beside-2'))),
      ])
      expect(outcomes.map(outcome => outcome.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
      expect(await paths()).not.toContain('refused')
      expect(await paths()).toEqual(expect.arrayContaining(['beside-1', 'beside-2']))
    })

    test('a broken statement rejects its own transaction only', async () => {
      const twice = database.transaction(async tx => {
        await tx.insertInto('media').values(sampleRow('twice', 'same-id')).execute()
        await tx.insertInto('media').values(sampleRow('twice-2', 'same-id')).execute()
      })
      const fine = database.transaction(tx => putRow(tx, sampleRow('fine')))
      const outcomes = await Promise.allSettled([twice, fine])
      expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
      expect(await paths()).not.toContain('twice')
    })

    test('of statements sent together, the first error is thrown when all have ended, and nothing of them stays', async () => {
      let ended = false
      const late = async (tx: Queries) => {
        await tx.selectFrom('media').select('nr').execute()
        await tx.selectFrom('media').select('nr').execute()
        ended = true
      }
      const refused = new Error('refused')
      const all = [
        database.transaction(tx => putRow(tx, sampleRow('together-1'))),
        database.transaction(async tx => {
          const broken = tx.insertInto('media').values(sampleRow('together-1', 'second')).execute()
          await together(broken, putRow(tx, sampleRow('together-broken'), null))
        }),
        database.transaction(tx =>
          together(Promise.reject(refused), late(tx), putRow(tx, sampleRow('together-refused'), null)),
        ),
        database.transaction(tx => together(putRow(tx, sampleRow('together-2'), null), late(tx))),
      ]
      const [one, broken, thrown, two] = await Promise.allSettled(all)
      expect([one!.status, two!.status, ended]).toEqual(['fulfilled', 'fulfilled', true])
      expect(broken).toMatchObject({ reason: { message: expect.stringMatching(/unique/i) } })
      expect(thrown).toMatchObject({ reason: refused })
      expect((await paths()).filter(path => path.startsWith('together'))).toEqual([
        'together-1',
        'together-2',
      ])
    })

    test('transactions happen one after the other: no increment is lost', async () => {
      await database.transaction(tx => putRow(tx, sampleRow('counted')))
      const other = await subject.again()
      const increment = (through: Database) =>
        through.transaction(async tx => {
          const row = await tx
            .selectFrom('media')
            .select('retrievals')
            .where('path', '=', 'counted')
            .executeTakeFirstOrThrow()
          await tx
            .updateTable('media')
            .set({ retrievals: row.retrievals + 1 })
            .where('path', '=', 'counted')
            .execute()
        })
      await Promise.all(Array.from({ length: 60 }, (_, at) => increment(at % 2 ? other : database)))
      const { retrievals } = await database.read
        .selectFrom('media')
        .select('retrievals')
        .where('path', '=', 'counted')
        .executeTakeFirstOrThrow()
      expect(Number(retrievals)).toBe(60)
      await other.close()
    })

    test('the look-up finds by exact path, and null otherwise', async () => {
      await database.transaction(tx => putRow(tx, sampleRow('Case/A.png')))
      expect(await database.servedFile('Case/A.png')).toMatchObject({ derived: 'done', variant_size: null })
      expect(await database.servedFile('case/a.png')).toBeNull()
      expect(await database.servedFile("x' or 1=1 --")).toBeNull()
    })

    test('overwriting keeps number and retrievals, and forgets what was derived', async () => {
      const nr = await database.transaction(tx => putRow(tx, sampleRow('over', 'first')))
      await database.transaction(tx =>
        tx
          .updateTable('media')
          .set({ retrievals: 7, variant_size: 1, width: 9, derive_attempts: 2 })
          .where('nr', '=', nr)
          .execute(),
      )
      expect(await database.transaction(tx => putRow(tx, sampleRow('over', 'second')))).toBe(nr)
      const row = await database.read
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
        await database.transaction(tx => putRow(tx, sampleRow(path)))
      expect((await paths()).filter(path => path.startsWith('z'))).toEqual([
        'z/B',
        'z/a-',
        'z/a/x',
        'z/b',
        'z0',
      ])
      const below = await database.read
        .selectFrom('media')
        .select('path')
        .where('path', '>=', 'z/')
        .where('path', '<', 'z0')
        .execute()
      expect(below.length).toBe(4)
    })

    test('reading does not wait for a transaction under way, nor see it', async () => {
      let seenInside: unknown = 'never looked'
      await database.transaction(async tx => {
        await putRow(tx, sampleRow('unfinished'))
        seenInside = await database.servedFile('unfinished')
      })
      expect(seenInside).toBeNull()
      expect(await database.servedFile('unfinished')).not.toBeNull()
    })

    const versionOf = async (through: Database) => (await through.currentState()).version

    test('the state is another one after every commit, whoever makes it, and by nothing else', async () => {
      const other = await subject.again()
      const still = await database.currentState()
      await database.read.selectFrom('media').select('path').execute()
      expect(await database.currentState()).toBe(still)
      expect(database.knownState()).toBe(still)
      for (const through of [database, other]) {
        const before = [await versionOf(database), await versionOf(other)]
        await through.transaction(tx => putRow(tx, sampleRow(`version-${through === other}`)))
        const after = [await versionOf(database), await versionOf(other)]
        expect(after[0]).not.toBe(before[0]!)
        expect(after[1]).not.toBe(before[1]!)
        expect(database.knownState().version).toBe(after[0]!)
      }
      await other.close()
    })

    test('of a hundred changes elsewhere each is seen by whoever asks for the state and then for the file', async () => {
      const other = await subject.again()
      await database.transaction(tx => putRow(tx, { ...sampleRow('watched', 'watched-0'), size: 0 }))
      for (let size = 1; size <= 100; size++) {
        await other.transaction(tx => putRow(tx, { ...sampleRow('watched', `watched-${size}`), size }))
        // Two readers in one turn, of which the second finds what the first has remembered.
        const seen = await Promise.all(
          [1, 2].map(async () => {
            await database.currentState()
            return (await database.servedFile('watched'))?.size
          }),
        )
        expect(seen).toEqual([size, size])
      }
      await other.close()
    })

    test('a change of nothing but a derived file is seen elsewhere, and the trash can keep it', async () => {
      const other = await subject.again()
      const row = sampleRow('derived-elsewhere')
      const nr = await database.transaction(tx => putRow(tx, row))
      for (const column of DERIVED_COLUMNS) {
        await database.currentState()
        expect((await database.servedFile(row.path))?.[column]).toBeNull()
        const value = column.endsWith('_size') ? 7 : 'abcdef'
        await other.transaction(tx =>
          tx
            .updateTable('media')
            .set({ [column]: value })
            .where('nr', '=', nr)
            .execute(),
        )
        await database.currentState()
        expect((await database.servedFile(row.path))?.[column]).toBe(value)
      }
      await database.read.selectFrom('trash').select(DERIVED_COLUMNS).execute()
      await other.close()
    })

    test('saved settings are those of the last commit, of every connection', async () => {
      const other = await subject.again()
      const saved = async (through: Database) => [...(await through.currentState()).settings]
      expect(await saved(database)).toEqual([])
      await other.transaction(tx =>
        tx.insertInto('setting').values({ name: 'DIENST', value: '"x"' }).execute(),
      )
      expect(await saved(database)).toEqual([['DIENST', '"x"']])
      await database.transaction(async tx => {
        await tx.deleteFrom('setting').execute()
        expect(await saved(database)).toHaveLength(1)
      })
      expect([await saved(database), await saved(other)]).toEqual([[], []])
      await other.close()
    })

    test('a snapshot stays at its state while others write, and holds them up in nothing', async () => {
      await database.transaction(tx => putRow(tx, sampleRow('moment/before')))
      const seen = async (at: Queries) =>
        (await at.selectFrom('media').select('path').where('path', 'like', 'moment/%').execute()).map(
          row => row.path,
        )
      const other = await subject.again()
      await database.snapshot(async at => {
        await other.transaction(tx => putRow(tx, sampleRow('moment/after')))
        await database.transaction(tx => tx.deleteFrom('media').where('path', '=', 'moment/before').execute())
        expect(await seen(at)).toEqual(['moment/before'])
        expect(await seen(database.read)).toEqual(['moment/after'])
        // Two at once, each with its own state.
        await database.snapshot(async later => expect(await seen(later)).toEqual(['moment/after']))
        expect(await seen(at)).toEqual(['moment/before'])
      })
      await other.close()
    })

    test('a snapshot cannot write, and passes an error on', async () => {
      const writing = database.snapshot(at => at.deleteFrom('media').execute())
      await expect(writing).rejects.toThrow()
      await expect(database.snapshot(() => Promise.reject(new Error('trouble')))).rejects.toThrow('trouble')
      expect((await paths()).length).toBeGreaterThan(0)
    })

    test('the last number of a table is known also when its row is gone, and can be set', async () => {
      const { queries, read } = database
      const last = async () => Number((await queries.lastNumber('trash').execute(read)).rows[0]?.last ?? 0)
      expect(await last()).toBe(0)
      const { derived: _, ...kept } = sampleRow('numbered')
      const add = (id: string) =>
        database.transaction(async tx => {
          const values = { ...kept, id, media_nr: null, retrievals: 0, deleted_at: 1, deleted_by: 'x' }
          return (await tx.insertInto('trash').values(values).returning('nr').executeTakeFirstOrThrow()).nr
        })
      const first = await add('number-1')
      await database.transaction(tx => tx.deleteFrom('trash').execute())
      expect(await last()).toBe(first)
      await database.transaction(async tx => {
        for (const statement of queries.countFrom('trash', 500)) await statement.execute(tx)
      })
      expect([await last(), await add('number-2'), await last()]).toEqual([500, 501, 501])
      await database.transaction(tx => tx.deleteFrom('trash').execute())
    })

    test('browsing sees what reading sees', async () => {
      await database.transaction(tx => putRow(tx, sampleRow('browsed')))
      const query = (db: Queries) =>
        db.selectFrom('media').select(['nr', 'path', 'size']).orderBy('path').execute()
      expect(await query(database.browse)).toEqual(await query(database.read))
    })

    test('a long transaction is all or nothing, lets others read, and is answered by itself', async () => {
      const order: string[] = []
      const turn = () => new Promise(resolve => setImmediate(resolve))
      const note = (name: string) => () => order.push(name)
      const short = (name: string) => database.transaction(tx => putRow(tx, sampleRow(name))).then(note(name))
      const long = database
        .transaction(
          async tx => {
            for (let at = 0; at < 20; at++) {
              await putRow(tx, sampleRow(`long/${at}`))
              await turn()
              expect(await database.servedFile(`long/${at}`)).toBeNull()
            }
          },
          { long: true },
        )
        .then(note('long'))
      const refused = database
        .transaction(
          async tx => {
            await putRow(tx, sampleRow('long/refused'))
            throw new Error('refused')
          },
          { long: true },
        )
        .catch(String)
      await Promise.all([short('before'), long, short('after')])
      expect(await refused).toBe('Error: refused')
      expect(order).toEqual(['long', 'before', 'after'])
      expect((await paths()).filter(path => path.startsWith('long/'))).toHaveLength(20)
      expect(await paths()).toEqual(expect.arrayContaining(['before', 'after']))
    })

    test('the folder of a path is known without being told', async () => {
      for (const path of ['folderless', 'in/one', 'in/one.two/x', 'in/A-b.c/9'])
        await database.transaction(tx => putRow(tx, sampleRow(path)))
      const rows = await database.read.selectFrom('media').select(['path', 'folder']).execute()
      for (const { path, folder } of rows) expect(folder).toBe(path.slice(0, path.lastIndexOf('/') + 1))
    })

    test('paths are found by any part of them, whatever its case', async () => {
      for (const path of ['seek/Alpha_1.png', 'seek/alphabet', 'seek/be%ta'])
        await database.transaction(tx => putRow(tx, sampleRow(path)))
      const { queries, read } = database
      const found = async (text: string, limit?: number) => {
        const hits = queries.pathsContaining(text, limit)
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
            .where(queries.contains('path', text))
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
      await database.transaction(tx =>
        tx.updateTable('media').set({ path: 'seek/omega' }).where('path', '=', 'seek/alphabet').execute(),
      )
      await database.transaction(tx =>
        tx.deleteFrom('media').where('path', '=', 'seek/Alpha_1.png').execute(),
      )
      expect([await found('alpha'), await found('OMEGA')]).toEqual([[], ['seek/omega']])
    })

    test('every character of a text comes back as it was stored, NUL and beyond the first plane included', async () => {
      const odd = ['a\0b', '\0', 'ä€😀', '\u{10FFFD}', 'line\nend', "quote's", 'back\\slash']
      for (const [at, name] of odd.entries()) {
        const share = { key: `odd-${at}`, folder: name, created_at: 1, created_by: name }
        await database.transaction(tx => tx.insertInto('share').values(share).execute())
        const [found, ...others] = await database.read
          .selectFrom('share')
          .selectAll()
          .where('folder', '=', name)
          .execute()
        expect([found, others]).toEqual([share, []])
      }
      await database.currentState()
      expect(await database.servedFile('a\0b')).toBeNull()
    })

    test('numbers are numbers: large ones, sums, counts and those that are not there', async () => {
      const size = 2 ** 45 + 1
      await database.transaction(tx => putRow(tx, { ...sampleRow('large'), size }))
      const row = await database.read
        .selectFrom('media')
        .selectAll()
        .where('path', '=', 'large')
        .executeTakeFirstOrThrow()
      expect([row.size, typeof row.nr, row.width, row.retrieved_at]).toEqual([size, 'number', null, null])
      const { rows } = await sql<{ count: number; none: number }>`select count(*) as count,
        max(retrieved_at) as none from media where path = 'large'`.execute(database.read)
      expect(rows).toEqual([{ count: 1, none: null as unknown as number }])
    })

    test('files and bytes of folders, tokens and trash are right after every statement', async () => {
      const [folder, kind] = ['counted/', 'dokumente' as const]
      const figures = async () => {
        const { read } = database
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
      const change = (work: (tx: Queries) => Promise<unknown>) => database.transaction(work)
      await change(tx => tx.insertInto('media').values(rows).execute())
      const none = [{ files: 0, bytes: 0 }]
      const all = { inFolder: [{ kind, files: 3, bytes: 6 }], ofToken: [{ files: 3, bytes: 6 }], trash: none }
      expect(await figures()).toEqual(all)
      await change(tx =>
        tx.updateTable('media').set({ retrievals: 5 }).where('folder', '=', folder).execute(),
      )
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
        await database.transaction(tx => putRow(tx, { ...sampleRow(path), size, retrieved_at }))
      const ordered = async (order: string) => {
        const { rows } = await sql<{ path: string }>`select path from media where folder = 'order/'
          order by ${sql.raw(order)}`.execute(database.read)
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
      for (const name of names) await database.transaction(tx => putRow(tx, sampleRow(name)))
      await database.transaction(tx =>
        tx.updateTable('media').set({ path: 'n/b-40.png' }).where('path', '=', 'n/a').execute(),
      )
      const rows = await database.read
        .selectFrom('media')
        .select(['path', 'natural_key'])
        .where('path', 'like', 'n/%')
        .orderBy('natural_key')
        .orderBy('path')
        .execute()
      expect(rows.map(({ natural_key }) => natural_key)).toEqual(rows.map(({ path }) => naturalKey(path)))
      expect(rows).toEqual(inNaturalOrder(rows, ({ path }) => path))
      expect(rows).toHaveLength(names.length)
    })

    test('the clock of the database is that of this machine, within what the way takes', async () => {
      await database.currentState()
      expect(Math.abs(database.clockOffset())).toBeLessThan(2_000)
    })

    test('tidying comes to an end', async () => {
      await database.tidy(() => true)
      await database.tidy(() => false)
    })

    test('opening again keeps everything', async () => {
      const before = await paths()
      const other = await subject.again()
      expect(
        (await other.read.selectFrom('media').select('path').orderBy('path').execute()).map(row => row.path),
      ).toEqual(before)
      await other.close()
    })
  })
}
