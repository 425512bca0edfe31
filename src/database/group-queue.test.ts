/**
 * Tests the rules of the queue with an engine that only records a list. `test/conformance` tests the engines.
 */
import { expect, test } from 'bun:test'
import { nextTurn } from '../../test/support/wait.ts'
import type { Queries } from './database.ts'
import { createGroupQueue } from './group-queue.ts'

type Engine = Parameters<typeof createGroupQueue>[0]

function world(engine: Partial<Engine> = {}) {
  const events: string[] = []
  const inSavepoint = (work: () => Promise<unknown>) =>
    work().then(
      value => ({ value }),
      error => ({ error }),
    )
  const { transaction } = createGroupQueue({
    async runGroup(runAll) {
      events.push('begin')
      await runAll({ tx: {} as Queries, runInSavepoint: inSavepoint })
      events.push('commit')
    },
    ...engine,
  })
  const run = (name: string, options?: { long: boolean }) =>
    transaction(async () => void events.push(name), options).then(
      () => void events.push(`${name} ok`),
      error => void events.push(`${name} ${error.message}`),
    )
  return { events, run, transaction, inSavepoint }
}

test('those who wait together are committed together, and answered only then', async () => {
  const { events, run } = world()
  await Promise.all([run('a'), run('b')])
  expect(events).toEqual(['begin', 'a', 'b', 'commit', 'a ok', 'b ok'])
})

test('what follows a group holds up the next one, not the answers', async () => {
  const gate = Promise.withResolvers<void>()
  const { events, run } = world({ afterGroup: () => gate.promise })
  await run('a')
  const next = run('b')
  await nextTurn()
  await nextTurn()
  expect(events).toEqual(['begin', 'a', 'commit', 'a ok'])
  gate.resolve()
  await next
  expect(events.at(-1)).toBe('b ok')
})

test('work that fails fails alone; the others of its group are stored', async () => {
  const { events, run, transaction } = world()
  const bad = transaction(() => Promise.reject(new Error('bad'))).catch(error => error.message)
  await run('good')
  expect([await bad, events.slice(0, 4)]).toEqual(['bad', ['begin', 'good', 'commit', 'good ok']])
})

test('a long transaction shares its group with nobody', async () => {
  const { events, run } = world()
  await Promise.all([run('a'), run('long', { long: true }), run('b')])
  expect(events.filter(event => !event.endsWith(' ok'))).toEqual([
    ...['begin', 'a', 'commit'],
    ...['begin', 'long', 'commit'],
    ...['begin', 'b', 'commit'],
  ])
})

test('a group has at most 64 members', async () => {
  const { events, run } = world()
  await Promise.all(Array.from({ length: 65 }, () => run('x')))
  expect(events.filter(event => event === 'commit')).toHaveLength(2)
  expect(events.indexOf('commit')).toBe(65)
})

test('of a group that cannot be committed nobody is told that it was stored, and the next group is tried', async () => {
  let isBroken = true
  const { events, run, inSavepoint } = world({
    async runGroup(runAll) {
      await runAll({ tx: {} as Queries, runInSavepoint: work => inSavepoint(work) })
      if (isBroken) throw new Error('lost')
    },
  })
  await Promise.all([run('a'), run('b')])
  isBroken = false
  await run('c')
  expect(events.filter(event => event.includes(' '))).toEqual(['a lost', 'b lost', 'c ok'])
})

test('a group that cannot even begin costs the first one; who else fails, the engine decides', async () => {
  const begin = { runGroup: () => Promise.reject(new Error('down')) }
  const alone = world(begin)
  const together = world({
    ...begin,
    onFailure(_, waiting) {
      for (const one of waiting.splice(0)) one.settle({ error: new Error('too') })
    },
  })
  for (const { run } of [alone, together]) await Promise.all([run('a'), run('b')])
  expect(alone.events).toEqual(['a down', 'b down'])
  expect(together.events.sort()).toEqual(['a down', 'b too'])
})

test('while the engine refuses, all that wait fail and nothing is begun', async () => {
  const { events, run } = world({ refusalReason: () => new Error('no trust') })
  await Promise.all([run('a'), run('b')])
  expect(events).toEqual(['a no trust', 'b no trust'])
})
