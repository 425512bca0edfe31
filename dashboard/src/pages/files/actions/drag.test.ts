import { expect, test } from 'bun:test'
import type { FileAnswer } from '../types.ts'
import { type Dragged, mayDrop } from './drag.ts'

const files = (...paths: string[]): Dragged => ({ meant: paths.map(path => ({ path }) as FileAnswer) })

test.each<[string, Dragged | null, string, boolean]>([
  ['a file into another folder', files('items/a.png'), 'clips', true],
  ['a file to where it is', files('items/a.png'), 'items', false],
  ['a file to the top', files('items/a.png'), '', true],
  ['a file of the top to the top', files('a.png'), '', false],
  ['several, one of which is there already', files('items/a.png', 'b.png'), 'items', true],
  ['a folder into another', { folder: 'items/old' }, 'archive', true],
  ['a folder into itself', { folder: 'items' }, 'items', false],
  ['a folder into one of its own', { folder: 'items' }, 'items/old', false],
  ['a folder into one whose name begins alike', { folder: 'items' }, 'items2', true],
  ['a folder to where it is', { folder: 'items/old' }, 'items', false],
  ['a file of the desktop, which is an upload', null, 'items', false],
])('%s', (_what, dragged, folder, expected) => {
  expect(mayDrop(dragged, folder)).toBe(expected)
})
