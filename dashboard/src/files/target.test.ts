import { expect, test } from 'bun:test'
import { mayMove, type Target } from './target.ts'
import type { FileAnswer } from './types.ts'

const files = (...paths: string[]): Target => paths.map(path => ({ path }) as FileAnswer)

test.each<[string, Target, string, boolean]>([
  ['a file into another folder', files('items/a.png'), 'clips', true],
  ['a file to where it is', files('items/a.png'), 'items', false],
  ['a file to the top', files('items/a.png'), '', true],
  ['a file of the top to the top', files('a.png'), '', false],
  ['several, one of which is there already', files('items/a.png', 'b.png'), 'items', true],
  ['a whole result', { query: {}, total: 3 }, 'items', true],
  ['a folder into another', 'items/old', 'archive', true],
  ['a folder into itself', 'items', 'items', false],
  ['a folder into one of its own', 'items', 'items/old', false],
  ['a folder into one whose name begins alike', 'items', 'items2', true],
  ['a folder to where it is', 'items/old', 'items', false],
])('%s', (_what, target, folder, expected) => {
  expect(mayMove(target, folder)).toBe(expected)
})
