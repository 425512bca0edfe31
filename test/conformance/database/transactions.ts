/** Transactions: all or nothing, one after the other, and nobody reads uncommitted data. */
import { expect, test } from 'bun:test'
import { awaitAll } from '../../../src/database/await-all.ts'
import type { Database, Queries } from '../../../src/database/database.ts'
import { putRow } from '../../../src/features/media/media.store.ts'
import { type Opened, pathsIn, sampleRow } from '../database.ts'

export function transactionsConform(on: Opened): void {
  test('what a transaction wrote is read afterwards, by every connection', async () => {
    await on.database.transaction(tx => putRow(tx, sampleRow('seen')))
    const other = await on.again()
    expect(await other.servedFile('seen')).toMatchObject({ id: 'seen', size: 3, mime: 'text/plain' })
    await other.close()
  })

  test('a transaction that rejects leaves nothing, and those beside it stay', async () => {
    const outcomes = await Promise.allSettled([
      on.database.transaction(tx => putRow(tx, sampleRow('beside-1'))),
      on.database.transaction(async tx => {
        await putRow(tx, sampleRow('refused'))
        throw new Error('refused')
      }),
      on.database.transaction(tx => putRow(tx, sampleRow('beside-2'))),
    ])
    expect(outcomes.map(outcome => outcome.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await pathsIn(on.database)).not.toContain('refused')
    expect(await pathsIn(on.database)).toEqual(expect.arrayContaining(['beside-1', 'beside-2']))
  })

  test('a broken statement rejects its own transaction only', async () => {
    const twice = on.database.transaction(async tx => {
      await tx.insertInto('media').values(sampleRow('twice', 'same-id')).execute()
      await tx.insertInto('media').values(sampleRow('twice-2', 'same-id')).execute()
    })
    const fine = on.database.transaction(tx => putRow(tx, sampleRow('fine')))
    const outcomes = await Promise.allSettled([twice, fine])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
    expect(await pathsIn(on.database)).not.toContain('twice')
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
      on.database.transaction(tx => putRow(tx, sampleRow('together-1'))),
      on.database.transaction(async tx => {
        const broken = tx.insertInto('media').values(sampleRow('together-1', 'second')).execute()
        await awaitAll(broken, putRow(tx, sampleRow('together-broken'), null))
      }),
      on.database.transaction(tx =>
        awaitAll(Promise.reject(refused), late(tx), putRow(tx, sampleRow('together-refused'), null)),
      ),
      on.database.transaction(tx => awaitAll(putRow(tx, sampleRow('together-2'), null), late(tx))),
    ]
    const [one, broken, thrown, two] = await Promise.allSettled(all)
    expect([one!.status, two!.status, ended]).toEqual(['fulfilled', 'fulfilled', true])
    expect(broken).toMatchObject({ reason: { message: expect.stringMatching(/unique/i) } })
    expect(thrown).toMatchObject({ reason: refused })
    expect((await pathsIn(on.database)).filter(path => path.startsWith('together'))).toEqual([
      'together-1',
      'together-2',
    ])
  })

  test('transactions happen one after the other: no increment is lost', async () => {
    await on.database.transaction(tx => putRow(tx, sampleRow('counted')))
    const other = await on.again()
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
    await Promise.all(Array.from({ length: 60 }, (_, at) => increment(at % 2 ? other : on.database)))
    const { retrievals } = await on.database.read
      .selectFrom('media')
      .select('retrievals')
      .where('path', '=', 'counted')
      .executeTakeFirstOrThrow()
    expect(Number(retrievals)).toBe(60)
    await other.close()
  })

  test('reading does not wait for a transaction under way, nor see it', async () => {
    let seenInside: unknown = 'never looked'
    await on.database.transaction(async tx => {
      await putRow(tx, sampleRow('unfinished'))
      seenInside = await on.database.servedFile('unfinished')
    })
    expect(seenInside).toBeNull()
    expect(await on.database.servedFile('unfinished')).not.toBeNull()
  })

  test('a long transaction is all or nothing, lets others read, and is answered by itself', async () => {
    const order: string[] = []
    const turn = () => new Promise(resolve => setImmediate(resolve))
    const note = (name: string) => () => order.push(name)
    const short = (name: string) =>
      on.database.transaction(tx => putRow(tx, sampleRow(name))).then(note(name))
    const long = on.database
      .transaction(
        async tx => {
          for (let at = 0; at < 20; at++) {
            await putRow(tx, sampleRow(`long/${at}`))
            await turn()
            expect(await on.database.servedFile(`long/${at}`)).toBeNull()
          }
        },
        { long: true },
      )
      .then(note('long'))
    const refused = on.database
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
    expect((await pathsIn(on.database)).filter(path => path.startsWith('long/'))).toHaveLength(20)
    expect(await pathsIn(on.database)).toEqual(expect.arrayContaining(['before', 'after']))
  })
}
