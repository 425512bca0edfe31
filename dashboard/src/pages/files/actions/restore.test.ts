import { expect, test } from 'bun:test'
import { entriesBelow } from './restore.ts'

test('below a folder, on the boundary of its name, the newest first', () => {
  const trash = ['items/a.png', 'other.png', 'items/b.png', 'items2/a.png', 'items/c.png']
  const entries = trash.map((path, at) => ({ nr: 100 - at, path }))
  expect(entriesBelow(entries, 'items')).toEqual([100, 98, 96])
})
