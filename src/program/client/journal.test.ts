import { expect, test } from 'bun:test'
import { appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { useFolder } from '../../../test/support/folder.ts'
import { openJournal } from './journal.ts'

const folder = await useFolder()

test('what was added is there when it is opened again; a line that was cut off is not', async () => {
  const file = join(folder, 'deep', 'journal')
  const journal = await openJournal<number>(file)
  expect(journal.entries).toEqual([])
  await journal.add(1)
  await journal.add(2)
  await appendFile(file, '{"cut o')
  const again = await openJournal<number>(file)
  expect(again.entries).toEqual([1, 2])
  await again.add(3)
  expect((await openJournal<number>(file)).entries).toEqual([1, 2, 3])
  expect(await readFile(file, 'utf8')).toEndWith('\n3\n')
})
