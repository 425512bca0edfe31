import { expect, test } from 'bun:test'
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { useFolder } from '../../../test/support/folder.ts'
import { shareLock, tryLock } from './process-lock.ts'

const folder = await useFolder()

test('one holds the lock at a time', () => {
  const file = join(folder, 'one')
  const first = tryLock(file)!
  expect(tryLock(file)).toBeNull()
  first.release()
  const second = tryLock(file)
  expect(second).not.toBeNull()
  second!.release()
})

test('a shared lock is held by several, without the right to write, and keeps the lock from everybody until all are gone', async () => {
  const file = join(folder, 'shared')
  await Bun.write(file, '')
  await chmod(file, 0o444)
  const sharing = [shareLock(file), shareLock(file)]
  for (const each of sharing) {
    expect(tryLock(file)).toBeNull()
    each.release()
  }
  const lock = tryLock(file)
  expect(lock).not.toBeNull()
  lock!.release()
  expect(() => shareLock(join(folder, 'absent'))).toThrow()
})
