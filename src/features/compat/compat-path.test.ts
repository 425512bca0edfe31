import { expect, test } from 'bun:test'
import { germanPathFault } from '../../contract/paths/path-rules.ts'
import { pathForContent } from './compat-path.ts'

const SHA256 = '0123456789abcdef'.repeat(4)

/**
 * How many other contents have taken the path already, and how many characters of the hash the free path then
 * has.
 */
test.each([
  [0, 12],
  [1, 13],
  [10, 22],
  [52, 64],
])(
  '%i other contents whose hashes begin alike: %i characters of the hash, and never a path too long',
  async (others, length) => {
    for (const folder of ['uploads/', `${'f'.repeat(100)}/`]) {
      let left = others
      const name = { folder, filename: `${'n'.repeat(300)}.png`, extension: 'png' }
      const path = await pathForContent(name, SHA256, async () => (left-- > 0 ? 'other' : null))
      expect(germanPathFault(path)).toBeNull()
      expect(path).toEndWith(`n-${SHA256.slice(0, length)}.png`)
      expect(path).toHaveLength(200)
    }
  },
)

test('the same content keeps its path', async () => {
  const name = { folder: 'uploads/', filename: '', extension: 'png' }
  expect(await pathForContent(name, SHA256, async () => SHA256)).toBe(`uploads/${SHA256.slice(0, 12)}.png`)
})
