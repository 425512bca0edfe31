/** The program as a bundle of its sources: made, used, and never used for other sources. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { MARK, openCheckout } from '../support/checkout.ts'

setDefaultTimeout(180_000)

test('without a bundle the sources are run; a bundle is run as long as nothing it was made of has changed', async () => {
  await using checkout = await openCheckout()
  const version = () => checkout.run('src/cli.ts', '--version')
  expect(await version()).not.toContain(MARK)
  expect(await checkout.bundles()).toEqual([])
  expect(await checkout.run('src/bundle/make.ts')).toBe('')
  await checkout.mark()
  expect(await version()).toContain(MARK)
  expect(await version()).toMatch(/^\d+\.\d+\.\d+$/m)
  await appendFile(join(checkout.path, 'src/sha256.ts'), '\n')
  expect(await version()).not.toContain(MARK)
})

test('a start makes the bundle, once; with --no-build it makes none', async () => {
  await using checkout = await openCheckout()
  // Ends at once, with a sentence about the option.
  const start = (...options: string[]) => checkout.run('src/cli.ts', 'start', ...options, '--unknown')
  expect(await start('--no-build')).toContain('--unknown')
  expect(await checkout.bundles()).toEqual([])
  expect(await start()).toContain('--unknown')
  expect(await checkout.bundles()).toHaveLength(1)
  await checkout.mark()
  expect(await start()).toContain(MARK)
  expect(await checkout.bundles()).toHaveLength(1)
})
