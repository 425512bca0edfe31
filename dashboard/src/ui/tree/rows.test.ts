import { describe, expect, test } from 'bun:test'
import type { FolderNode } from '../../../../src/contract/files/library.ts'
import { treeRows, treeStep } from './rows.ts'

const node = (pfad: string, ordner: FolderNode[] = []): FolderNode => ({
  name: pfad.slice(pfad.lastIndexOf('/') + 1),
  pfad,
  dateien: 1,
  bytes: 1,
  ordner,
})
const TREE = [
  node('clips', [node('clips/2024'), node('clips/2025', [node('clips/2025/mai')])]),
  node('items'),
]
const rows = (...open: string[]) => treeRows(TREE, new Set(open), 'Alles')
const paths = (...open: string[]) => rows(...open).map(({ path }) => path)

describe('which lines are shown', () => {
  test('closed: the top and its folders', () => {
    expect(paths()).toEqual(['', 'clips', 'items'])
  })

  test('a folder that is open shows its own, and those below only when they are open too', () => {
    expect(paths('clips')).toEqual(['', 'clips', 'clips/2024', 'clips/2025', 'items'])
    expect(paths('clips', 'clips/2025')).toContain('clips/2025/mai')
    expect(paths('clips/2025')).not.toContain('clips/2025/mai')
  })

  test('level, place and whether there is anything to open', () => {
    const [, clips, , may] = rows('clips')
    expect(clips).toMatchObject({ level: 2, isOpen: true, position: 1, siblingCount: 2 })
    expect(may).toMatchObject({ level: 3, isOpen: false, position: 2, siblingCount: 2 })
    expect(rows()[2]).toMatchObject({ path: 'items', isOpen: null })
  })

  test('nothing stored yet: the top alone', () => {
    expect(treeRows([], new Set(), 'Alles')).toMatchObject([{ path: '', isOpen: null }])
  })

  test('5 000 folders in one go', () => {
    const many = Array.from({ length: 5000 }, (_, at) => node(`f${at}`))
    expect(treeRows(many, new Set(), 'Alles')).toHaveLength(5001)
  })
})

describe('keys', () => {
  test.each([
    ['ArrowDown', 1, { go: 2 }],
    ['ArrowDown', 4, { go: 4 }],
    ['ArrowUp', 0, { go: 0 }],
    ['Home', 3, { go: 0 }],
    ['End', 0, { go: 4 }],
    ['ArrowRight', 1, { go: 2 }],
    ['ArrowRight', 3, { open: 'clips/2025' }],
    ['ArrowRight', 4, null],
    ['ArrowLeft', 1, { close: 'clips' }],
    ['ArrowLeft', 3, { go: 1 }],
    ['ArrowLeft', 0, { go: 0 }],
    ['x', 1, null],
  ] as const)('%s on line %i', (key, at, expected) => {
    expect(treeStep(rows('clips'), at, key)).toEqual(expected)
  })
})
