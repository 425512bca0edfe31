import { expect, test } from 'bun:test'
import { createFolderWatch } from './watch.ts'

/** A folder with other content at each second; returns which files were yielded at which second. */
async function handedOut(looks: Record<string, number>[], again: string[] = []) {
  let clock = 10_000
  let at = 0
  const out: string[] = []
  const end = new Error('the end')
  const watch = createFolderWatch({
    now: () => clock,
    async listFiles() {
      const look = looks[at]
      if (!look) throw end
      return Object.entries(look).map(([name, changedAt]) => ({ name, file: name, size: 1, changedAt }))
    },
    async sleep(milliseconds) {
      clock += milliseconds
      at++
    },
  })
  try {
    for await (const batch of watch.batches()) {
      out.push(...batch.map(({ name }) => `${at} ${name}`))
      watch.yieldAgain(
        batch.filter(({ name }) => again.splice(again.indexOf(name), again.includes(name) ? 1 : 0).length),
      )
    }
  } catch (error) {
    if (error !== end) throw error
  }
  return out
}

test('what was there and left alone goes out at once, each state only once', async () =>
  expect(await handedOut([{ a: 1 }, { a: 1 }, { a: 1 }])).toEqual(['0 a']))

test('what was there and is being written waits for two quiet seconds', async () =>
  expect(await handedOut([{ a: 9_900 }, { a: 10_900 }, { a: 10_900 }, { a: 10_900 }, { a: 10_900 }])).toEqual(
    ['3 a'],
  ))

test('what comes later waits too, also when its time is old', async () =>
  expect(await handedOut([{}, { b: 1 }, { b: 1 }, { b: 1 }, { b: 1 }])).toEqual(['3 b']))

test('what changes goes out once more', async () =>
  expect(await handedOut([{ a: 1 }, { a: 2 }, { a: 2 }, { a: 2 }])).toEqual(['0 a', '3 a']))

test('what could not be sent comes again', async () =>
  expect(await handedOut([{ a: 1 }, { a: 1 }, { a: 1 }], ['a'])).toEqual(['0 a', '1 a']))
