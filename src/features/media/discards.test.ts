import { beforeEach, describe, expect, test } from 'bun:test'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { contentOf } from '../../../test/support/bytes.ts'
import { eventually, nextTurn } from '../../../test/support/wait.ts'
import type { Database } from '../../database/database.ts'
import { IncompleteRunError } from '../../jobs/job.ts'
import { noLeasesHeld } from '../../jobs/testing.ts'
import type { Storage } from '../../storage/storage.ts'
import { useInstance } from '../../testing/instance.ts'
import { createDiscards, type DiscardsParts } from './discards.ts'
import { discardObjects } from './media.store.ts'

const { root, storage, database, log, lines } = await useInstance()
let clock = 10_000
const DELAY = 3000

const create = (given: Partial<DiscardsParts> = {}) =>
  createDiscards({
    ...{ database, storage, coordination: noLeasesHeld, log },
    now: () => clock,
    delay: DELAY,
    ...given,
  })

beforeEach(async () => {
  await database.transaction(tx => tx.deleteFrom('discard').execute())
  for (const name of await objects()) await storage.remove(name)
  lines.length = 0
})

async function put(...names: string[]): Promise<void> {
  for (const name of names) {
    const staging = await storage.stage()
    await staging.write(new Uint8Array([1]))
    await storage.commit(staging, name, contentOf(new Uint8Array([1])))
  }
}
const letGo = (names: string[], dueAt: number) => database.transaction(tx => discardObjects(tx, names, dueAt))
const objects = async () => (await Array.fromAsync(storage.list('files/'))).map(object => object.name).sort()
const discardList = async () =>
  (await database.read.selectFrom('discard').select('object').orderBy('nr').execute()).map(
    entry => entry.object,
  )

describe('discards', () => {
  test('an object goes when it is due, not before', async () => {
    const discards = create()
    await put('files/a~1')
    await letGo(['files/a~1'], discards.dueAt())
    clock += DELAY - 1
    expect(await discards.run()).toBe(0)
    expect([await objects(), await discardList()]).toEqual([['files/a~1'], ['files/a~1']])
    clock += 1
    expect(await discards.run()).toBe(1)
    expect([await objects(), await discardList()]).toEqual([[], []])
  })

  test('an object that was let go before the clock was set back does not stay for ever', async () => {
    await put('files/a~1.txt', 'files/b~2.txt')
    await letGo(['files/a~1.txt'], clock + 86_400_000)
    await letGo(['files/b~2.txt'], clock + DELAY + 1000)
    await create().run()
    expect(await objects()).toEqual(['files/b~2.txt'])
  })

  test('only what is on the list goes', async () => {
    const discards = create()
    await put('files/x/a~1', 'files/x/b~2', 'files/x/c~3')
    await letGo(['files/x/b~2'], clock)
    await letGo(['files/x/c~3'], clock + 1)
    expect(await discards.run()).toBe(1)
    expect(await objects()).toEqual(['files/x/a~1', 'files/x/c~3'])
    expect(await discardList()).toEqual(['files/x/c~3'])
  })

  test('running twice, or twice at once, is the same as once', async () => {
    const discards = create()
    await put('files/a~1', 'files/b~2')
    await letGo(['files/a~1', 'files/b~2'], clock)
    const counts = await Promise.all([discards.run(), discards.run(), create().run()])
    expect(Math.max(...counts)).toBe(2)
    expect(await discards.run()).toBe(0)
    expect([await objects(), await discardList()]).toEqual([[], []])
  })

  test('more than a batch is worked off in one go', async () => {
    await letGo(
      Array.from({ length: 450 }, (_, at) => `files/many~${at}`),
      clock,
    )
    expect(await create().run()).toBe(450)
    expect(await discardList()).toEqual([])
  })

  test('a transaction that is rolled back lets nothing go', async () => {
    const refused = database.transaction(async tx => {
      await discardObjects(tx, ['files/a~1'], clock)
      throw new Error('refused')
    })
    await expect(refused).rejects.toThrow('refused')
    expect(await discardList()).toEqual([])
  })
})

describe('after a crash', () => {
  test('between removing and striking off, the next run removes again and strikes off', async () => {
    const dying: Database = { ...database, transaction: () => Promise.reject(new Error('killed')) }
    await put('files/a~1', 'files/b~2')
    await letGo(['files/a~1', 'files/b~2'], clock)
    await expect(create({ database: dying }).run()).rejects.toThrow('killed')
    expect([await objects(), await discardList()]).toEqual([[], ['files/a~1', 'files/b~2']])
    expect(lines.join()).toContain('killed')
    expect(await create().run()).toBe(2)
    expect(await discardList()).toEqual([])
  })

  test('in the middle of removing, the rest follows', async () => {
    const dying: Storage = {
      ...storage,
      async removeAll([first = '']) {
        await storage.remove(first)
        throw new Error('killed')
      },
    }
    await put('files/a~1', 'files/b~2')
    await letGo(['files/a~1', 'files/b~2'], clock)
    await create({ storage: dying })
      .run()
      .catch(() => {})
    await create().run()
    expect([await objects(), await discardList()]).toEqual([[], []])
  })
})

test('one object that cannot be removed does not keep the others, and stays on the list', async () => {
  const stuck: Storage = {
    ...storage,
    async removeAll(names) {
      await storage.removeAll(names.filter(name => name !== 'files/stuck~1'))
      return new Map([['files/stuck~1', Object.assign(new Error('EBUSY'), { code: 'EBUSY' })]])
    },
  }
  await put('files/stuck~1', 'files/b~2', 'files/c~3')
  await letGo(['files/stuck~1', 'files/b~2', 'files/c~3'], clock)
  await expect(create({ storage: stuck }).run()).rejects.toBeInstanceOf(IncompleteRunError)
  expect(await objects()).toEqual(['files/stuck~1'])
  expect(await discardList()).toEqual(['files/stuck~1'])
  expect(lines.join()).toContain('EBUSY')
})

describe('kick', () => {
  const untilGone = (name: string) => eventually(`${name} is gone`, async () => !(await storage.open(name)))

  test('removes by itself when the time has come, also what is let go while it waits', async () => {
    const discards = create({ delay: 30, now: Date.now })
    await put('files/a~1', 'files/b~2')
    await letGo(['files/a~1'], discards.dueAt())
    discards.kick()
    await nextTurn()
    await letGo(['files/b~2'], discards.dueAt())
    discards.kick()
    expect(await untilGone('files/a~1')).toBe(true)
    expect(await untilGone('files/b~2')).toBe(true)
    await discards.stop()
  })

  test('after the end nothing starts any more', async () => {
    const discards = create({ delay: 10, now: Date.now })
    await put('files/a~1')
    await letGo(['files/a~1'], 0)
    discards.kick()
    await discards.stop()
    // A timer that is still running would make this file fail.
    await nextTurn()
    expect(await objects()).toEqual(['files/a~1'])
  })

  test('the end waits for what is running', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    let removing = false
    const slow: Storage = {
      ...storage,
      async removeAll(names) {
        removing = true
        await promise
        return storage.removeAll(names)
      },
    }
    const discards = create({ storage: slow })
    await put('files/a~1')
    await letGo(['files/a~1'], clock)
    const run = discards.run()
    await eventually('it removes', () => removing)
    let stopped = false
    const stop = discards.stop().then(() => {
      stopped = true
    })
    await nextTurn()
    expect(stopped).toBe(false)
    resolve()
    await Promise.all([run, stop])
    expect(await discardList()).toEqual([])
  })
})

test('a foreign file beside an object stays', async () => {
  await put('files/near/a~1')
  await writeFile(join(root, 'files/near/notes.txt'), 'mine')
  await letGo(['files/near/a~1'], clock)
  await create().run()
  expect(await Bun.file(join(root, 'files/near/notes.txt')).text()).toBe('mine')
})

describe('while a backup is under way', () => {
  test('nothing goes; afterwards everything does', async () => {
    let held = true
    const discards = create({ coordination: { isHeld: async task => held && task === 'backup' } })
    await put('files/a~1', 'files/b~2')
    await letGo(['files/a~1', 'files/b~2'], clock - 1)
    expect(await discards.run()).toBe(0)
    expect([(await objects()).length, (await discardList()).length]).toEqual([2, 2])
    held = false
    expect(await discards.run()).toBe(2)
    expect([await objects(), await discardList()]).toEqual([[], []])
  })

  test('it is asked for after the list was read: what is let go later is not among what goes', async () => {
    await put('files/old~1', 'files/new~2')
    await letGo(['files/old~1'], clock - 1)
    // Right after `isHeld` returned false, a backup begins whose rows still own the new object, and only then
    // is that object discarded.
    let asked = 0
    const isHeld = async () => {
      if (asked++ > 0) return true
      await letGo(['files/new~2'], clock - 1)
      return false
    }
    await create({ coordination: { isHeld } }).run()
    expect([asked, await objects()]).toEqual([2, ['files/new~2']])
  })
})
