import { expect, test } from 'bun:test'
import { luaString } from '../../base/lua-string.ts'

test.each([
  ['items/a.png', '"items/a.png"'],
  ['', '""'],
  ['say "x"', '"say \\034x\\034"'],
  ['back\\slash', '"back\\092slash"'],
  ['one\ntwo\r', '"one\\010two\\013"'],
  ['\u00001', '"\\0001"'],
  ['\u007f', '"\\127"'],
  [']]..os.exit()', '"]]..os.exit()"'],
  ['Größe', '"Größe"'],
])('%j is written %s', (text, written) => expect(luaString(text)).toBe(written))
