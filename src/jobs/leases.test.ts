import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { useFolder } from '../../test/support/folder.ts'
import { eventually } from '../../test/support/wait.ts'
import { newId } from '../base/ids.ts'
import { createLog } from '../base/log.ts'
import { openSqlite } from '../database/sqlite/sqlite.ts'
import { createLeases } from './leases.ts'

const LEASE = 30_000
const root = await useFolder()
const file = join(root, 'fundus.db')
// Two connections to one file, like two processes.
const [one, other] = [await openSqlite({ file }), await openSqlite({ file })]
const log = createLog({ level: 'error', isHumanReadable: false, write: () => {} })
let clock = 1_000_000

const on = (database: typeof one, renewal = 1_000_000) =>
  createLeases({ database, newId, now: () => clock, log, leaseTime: LEASE, renewalInterval: renewal })

afterAll(async () => {
  await Promise.all([one.close(), other.close()])
})
beforeEach(() => one.transaction(tx => tx.deleteFrom('lease').execute()))

describe('a task', () => {
  test('is done by one at a time, here and elsewhere, and is free afterwards', async () => {
    const [here, there] = [on(one), on(other)]
    const done = await here.exclusively('backup', async () => {
      expect(await there.exclusively('backup', async () => 'twice')).toBeNull()
      expect(await here.exclusively('backup', async () => 'twice')).toBeNull()
      expect([await there.isHeld('backup'), await there.isHeld('sweep')]).toEqual([true, false])
      return 'once'
    })
    expect(done).toEqual({ result: 'once' })
    expect(await there.isHeld('backup')).toBe(false)
    expect(await there.exclusively('backup', async () => 'next')).toEqual({ result: 'next' })
  })

  test('is done by exactly one of many that ask at once', async () => {
    // The holder keeps the lease until all others were refused.
    const others = Promise.withResolvers<void>()
    let done = 0
    const asked = await Promise.all(
      Array.from({ length: 20 }, async (_, at) => {
        const answer = await on(at % 2 ? one : other).exclusively('sweep', () =>
          others.promise.then(() => at),
        )
        if (++done === 19) others.resolve()
        return answer
      }),
    )
    expect(asked.filter(each => each !== null)).toHaveLength(1)
  })

  test('does not keep another one from being done', async () => {
    await on(one).exclusively('backup', async () => {
      expect(await on(other).exclusively('trash', async () => 1)).toEqual({ result: 1 })
    })
  })

  test('that fails passes its error on and is free again', async () => {
    const failing = on(one).exclusively('backup', () => Promise.reject(new Error('trouble')))
    await expect(failing).rejects.toThrow('trouble')
    expect(await on(other).isHeld('backup')).toBe(false)
  })

  test('of a holder that died falls free when its time is over, not before', async () => {
    await one.transaction(tx =>
      tx
        .insertInto('lease')
        .values({ task: 'backup', holder: 'dead', until: clock + LEASE })
        .execute(),
    )
    clock += LEASE - 1
    expect(await on(other).exclusively('backup', async () => 1)).toBeNull()
    clock += 1
    expect(await on(other).isHeld('backup')).toBe(false)
    expect(await on(other).exclusively('backup', async () => 1)).toEqual({ result: 1 })
  })

  test('taken before the clock was set back is free', async () => {
    const until = (after: number) => clock + after
    const take = (after: number) =>
      one.transaction(tx =>
        tx
          .insertInto('lease')
          .values({ task: 'backup', holder: 'dead', until: until(after) })
          .onConflict(conflict => conflict.column('task').doUpdateSet({ until: until(after) }))
          .execute(),
      )
    // Clocks of several machines may differ slightly.
    await take(LEASE + 1000)
    expect(await on(other).exclusively('backup', async () => 1)).toBeNull()
    await take(2 * 60 * 60 * 1000)
    expect(await on(other).isHeld('backup')).toBe(false)
    expect(await on(other).exclusively('backup', async () => 1)).toEqual({ result: 1 })
  })

  test('of a holder that died is removed after a day even if nobody takes it again, and not before', async () => {
    const DAY = 24 * 60 * 60 * 1000
    const leaseNames = async () =>
      (await one.read.selectFrom('lease').select('task').execute()).map(at => at.task)
    await one.transaction(tx =>
      tx.insertInto('lease').values({ task: 'derive a', holder: 'dead', until: clock }).execute(),
    )
    clock += DAY
    await on(other).exclusively('backup', async () => 1)
    expect(await leaseNames()).toEqual(['derive a'])
    clock += 1
    await on(other).exclusively('backup', async () => 1)
    expect(await leaseNames()).toEqual([])
  })

  test('is prolonged while it is being done', async () => {
    await on(one, 5).exclusively('backup', async () => {
      for (let round = 0; round < 4; round++) {
        clock += LEASE / 2
        await eventually('it is prolonged', async () => {
          const lease = await one.read.selectFrom('lease').select('until').executeTakeFirst()
          return lease?.until === clock + LEASE
        })
      }
      expect(await on(other).isHeld('backup')).toBe(true)
    })
  })

  test('that went to another tells the one that had it, who cannot release it', async () => {
    await on(one, 5).exclusively('backup', async signal => {
      await other.transaction(tx => tx.updateTable('lease').set({ holder: 'thief' }).execute())
      await eventually('it is told', () => signal.aborted)
    })
    expect(await on(other).isHeld('backup')).toBe(true)
  })
})
