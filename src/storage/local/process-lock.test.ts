import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { useFolder } from '../../../test/support/folder.ts'
import { tryLock } from './process-lock.ts'

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
