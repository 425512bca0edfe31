import { expect, test } from 'bun:test'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { useFolder } from '../../test/support/folder.ts'
import { holdAlone, mayHoldRows } from './sqlite-alone.ts'

const root = await useFolder()
const file = join(root, 'fundus.db')

/** Another process with the database open, doing nothing. */
async function elsewhere(work: () => void): Promise<void> {
  const script = `const { openSqlite } = await import(${JSON.stringify(join(import.meta.dir, 'sqlite.ts'))})
    const database = await openSqlite({ file: ${JSON.stringify(file)} })
    console.log('open')
    await Bun.stdin.text()
    await database.close()`
  const child = Bun.spawn([process.execPath, '-e', script], { stdin: 'pipe', stdout: 'pipe' })
  const reader = child.stdout.getReader()
  await reader.read()
  try {
    work()
  } finally {
    child.stdin.end()
    await child.exited
  }
}

// Made elsewhere too: in one process SQLite lets go of a file only with the last statement that was compiled on it.
await elsewhere(() => {})

test('is not had while another process has the file open, and is had afterwards', async () => {
  await elsewhere(() => expect(holdAlone(file)).toBeNull())
  const alone = holdAlone(file)
  expect(alone).not.toBeNull()
  expect(holdAlone(file)).toBeNull()
  alone?.release()
  const again = holdAlone(file)
  expect(again).not.toBeNull()
  again?.release()
})

test('rows are seen, and what cannot be read counts as full', async () => {
  expect(mayHoldRows(file, ['media', 'token'])).toBe(false)
  expect(mayHoldRows(file, ['media', 'migration'])).toBe(true)
  const broken = join(root, 'broken.db')
  await writeFile(broken, 'no database at all'.repeat(100))
  expect(mayHoldRows(broken, ['media'])).toBe(true)
  const alone = holdAlone(broken)
  expect(alone).not.toBeNull()
  alone?.release()
})
