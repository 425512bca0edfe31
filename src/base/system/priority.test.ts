import { expect, test } from 'bun:test'
import { getPriority } from 'node:os'
import { join } from 'node:path'
import { openFolder } from '../../../test/support/folder.ts'
import { nicenessOf } from '../../../test/support/processes.ts'
import { eventually } from '../../../test/support/wait.ts'
import { DATABASE_FILE } from '../../database/sqlite/file.ts'
import { writeNewDatabase } from '../../testing/new-database.ts'
import { createHashThread } from '../hash/hash-thread.ts'

/** A process that was started under `nice` keeps its niceness if that is higher. */
const loweredTo = (niceness: number) => Math.max(getPriority(), niceness)

test.each([
  ['backup', loweredTo(10)],
  ['check', getPriority()],
])('all threads of `fundus %s` have niceness %d while it works', async (command, niceness) => {
  await using folder = await openFolder()
  await writeNewDatabase(join(folder.path, DATABASE_FILE))
  const env = { ...process.env, DATA_DIR: folder.path }
  const child = Bun.spawn([process.execPath, join(import.meta.dir, '../../cli.ts'), command], {
    env,
    stdio: ['ignore', 'ignore', 'ignore'],
    timeout: 60_000,
  })
  let last: number[] = []
  while (child.exitCode === null) {
    // A thread may end while it is examined. A process has few threads when it starts and when it ends.
    try {
      const seen = nicenessOf(child.pid)
      if (seen.length > 3) last = seen
    } catch {}
    await Bun.sleep(1)
  }
  expect(child.exitCode).toBe(0)
  expect(new Set(last)).toEqual(new Set([niceness]))
})

test.each([
  ['that somebody waits for does not give way', {}, [getPriority()]],
  ['that is unhurried gives way', { niceness: 7 }, [getPriority(), loweredTo(7)]],
])('the thread of a hash %s', async (_, options, expected) => {
  // A thread of an earlier test or run may still exist.
  await eventually('no other thread gives way', () => new Set(nicenessOf(process.pid)).size === 1)
  const thread = createHashThread({ ...options, idle: 0 })
  const unfinished = thread.begin()
  const hash = thread.begin()
  await hash.add(new Uint8Array(1))
  await hash.digest()
  expect(new Set(nicenessOf(process.pid))).toEqual(new Set(expected))
  unfinished.drop()
})
