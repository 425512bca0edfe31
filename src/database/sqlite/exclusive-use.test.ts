import { expect, test } from 'bun:test'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { useFolder } from '../../../test/support/folder.ts'
import { lockExclusively } from './exclusive-use.ts'

const root = await useFolder()
const file = join(root, 'fundus.db')

/** Runs `work` while another process has the database open without doing anything. */
async function elsewhere(work: () => Promise<void> | void): Promise<void> {
  const script = `const { openSqlite } = await import(${JSON.stringify(join(import.meta.dir, 'sqlite.ts'))})
    const database = await openSqlite({ file: ${JSON.stringify(file)} })
    console.log('open')
    await Bun.stdin.text()
    await database.close()`
  const child = Bun.spawn([process.execPath, '-e', script], { stdin: 'pipe', stdout: 'pipe' })
  const reader = child.stdout.getReader()
  await reader.read()
  try {
    await work()
  } finally {
    child.stdin.end()
    await child.exited
  }
}

// Created by another process too: within one process SQLite releases a file only after the last statement
// compiled on it.
await elsewhere(() => {})

/** Tries to get exclusive use of a file, calls `ask`, and releases it. */
async function withHeld<T>(
  file: string,
  ask: (alone: NonNullable<Awaited<ReturnType<typeof lockExclusively>>>) => T,
) {
  const alone = await lockExclusively(file)
  expect(alone).not.toBeNull()
  try {
    return await ask(alone!)
  } finally {
    alone!.release()
  }
}

test('is not had while another process has the file open, and is had afterwards', async () => {
  await elsewhere(async () => expect(await lockExclusively(file)).toBeNull())
  const alone = await lockExclusively(file)
  expect(alone).not.toBeNull()
  // Checking its rows releases nothing, and keeps nothing open.
  expect(alone?.hasRows(['media'])).toBe(false)
  expect(await lockExclusively(file)).toBeNull()
  alone?.release()
  await withHeld(file, () => {})
})

test('rows are seen', async () => {
  expect(
    await withHeld(file, ({ hasRows }) => [hasRows(['media', 'token']), hasRows(['media', 'migration'])]),
  ).toEqual([false, true])
})

test('the place of a database that is not there can be held; nobody has stored anything in it', async () => {
  const absent = join(root, 'absent.db')
  expect(
    await withHeld(absent, async ({ hasRows }) => [hasRows(['media']), await lockExclusively(absent)]),
  ).toEqual([false, null])
})

test.each([
  ['a file that is no database', 'broken.db', 'no database at all'.repeat(100)],
  ['an empty file beside a journal', 'lost.db', ''],
])('%s: not readable, not in use, and left as it is with what lies beside it', async (_, name, content) => {
  const broken = join(root, name)
  await writeFile(broken, content)
  await writeFile(`${broken}-wal`, 'half')
  expect(await withHeld(broken, ({ hasRows }) => hasRows(['media']))).toBeNull()
  expect([await Bun.file(broken).text(), await Bun.file(`${broken}-wal`).text()]).toEqual([content, 'half'])
})

test('a copy has everything', async () => {
  const copy = join(root, 'copy.db')
  await withHeld(file, ({ copyTo }) => copyTo(copy))
  expect(await withHeld(copy, ({ hasRows }) => hasRows(['migration']))).toBe(true)
})
