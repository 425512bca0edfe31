import { describe, expect, test } from 'bun:test'
import { isIgnoredRepeat, type PressedKey, pressedKeysOf } from './pressed-keys.ts'

const NONE = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }
const pressed = (key: string, more: Partial<PressedKey> = {}): PressedKey => ({ ...NONE, key, ...more })

describe('what was pressed', () => {
  test.each<[PressedKey, string]>([
    [pressed('a'), 'a'],
    [pressed('A'), 'a'],
    [pressed('A', { shiftKey: true }), 'shift+a'],
    [pressed('a', { ctrlKey: true }), 'mod+a'],
    [pressed('a', { metaKey: true }), 'mod+a'],
    [pressed('Z', { ctrlKey: true, shiftKey: true }), 'mod+shift+z'],
    [pressed('?', { shiftKey: true }), '?'],
    [pressed('/', { shiftKey: true }), '/'],
    [pressed('+'), '+'],
    [pressed(' '), ' '],
    [pressed(' ', { shiftKey: true }), 'shift+ '],
    [pressed('Delete', { shiftKey: true }), 'shift+Delete'],
    [pressed('ArrowLeft'), 'ArrowLeft'],
    [pressed('ArrowLeft', { altKey: true }), 'alt+ArrowLeft'],
    [pressed('ArrowLeft', { shiftKey: true }), 'shift+ArrowLeft'],
  ])('%j', (event, keys) => expect(pressedKeysOf(event)).toBe(keys))
})

test.each([
  ['Delete', true],
  ['r', true],
  [' ', true],
  ['ArrowDown', false],
  ['+', false],
])('held down, %j counts once: %j', (key, once) => {
  expect(isIgnoredRepeat({ ...pressed(key), repeat: true })).toBe(once)
  expect(isIgnoredRepeat({ ...pressed(key), repeat: false })).toBe(false)
})
