import { expect, test } from 'bun:test'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { useFolder } from '../../../../test/support/folder.ts'
import { archivesIn, partFile, preparePlace, surplus, thinOut } from './place.ts'

const root = await useFolder()

/** `+` complete, `-` incomplete, the newest first. */
const list = (marks: string) => [...marks].map((mark, at) => ({ at, complete: mark === '+' }))

test.each([
  ['', 3, []],
  ['+++', 3, []],
  ['+++++', 3, [3, 4]],
  ['+', 1, []],
  // The newest complete one stays however many incomplete ones came after it.
  ['---+', 2, [2]],
  ['---++', 2, [2, 4]],
  ['-----', 2, [2, 3, 4]],
  ['-+-+', 1, [2, 3]],
])('of %j with %d to keep go %j', (marks, keep, gone) =>
  expect(surplus(list(marks), keep).map(({ at }) => at)).toEqual(gone),
)

test('thinning touches archives of ours and nothing else', async () => {
  const folder = join(root, 'thin')
  await mkdir(join(folder, 'fundus-2020-01-01-000000.tar'), { recursive: true })
  const ours = [
    'fundus-2026-01-01-000000.tar',
    'fundus-2026-01-03-000000.tar',
    'fundus-2026-01-02-000000.tar',
  ]
  const others = ['fundus-alt.tar', 'fundus-2026-01-01-000000.tar.bak', 'notizen.txt']
  for (const name of [...ours, ...others]) await writeFile(join(folder, name), 'x')
  expect((await archivesIn(folder)).map(({ name }) => name)).toEqual(ours.toSorted().reverse())
  // Made by clocks that were set back: among the oldest, and yet the one that has just come.
  await thinOut(folder, 1, 'fundus-2026-01-01-000000.tar')
  const kept = [
    'fundus-2020-01-01-000000.tar',
    'fundus-2026-01-01-000000.tar',
    'fundus-2026-01-03-000000.tar',
  ]
  expect((await readdir(folder)).sort()).toEqual([...others, ...kept].sort())
})

test('what a dead run left is taken away, by its name alone', async () => {
  const folder = join(root, 'new', 'deeper')
  await preparePlace(folder)
  const part = partFile(folder, '0123456789abcdef')
  for (const file of [part, `${part}-liste`, join(folder, '.fundus-notiz.teil'), join(folder, 'x.teil')])
    await writeFile(file, 'x')
  await preparePlace(folder)
  expect((await readdir(folder)).sort()).toEqual(['.fundus-notiz.teil', 'x.teil'])
})

test('a folder that cannot be read holds no archive; one that cannot be made is an error', async () => {
  expect(await archivesIn(join(root, 'nowhere'))).toEqual([])
  await writeFile(join(root, 'file'), 'x')
  await expect(preparePlace(join(root, 'file'))).rejects.toThrow()
  await expect(preparePlace(join(root, 'file', 'below'))).rejects.toThrow()
})
