/** The program as a bundle of its sources: built, used, and not used if the sources are newer. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { MARK, openCheckout } from '../support/checkout.ts'

setDefaultTimeout(180_000)

test('without a bundle the sources are run; a bundle is run until a source is newer, and then made anew', async () => {
  await using checkout = await openCheckout()
  const version = () => checkout.run('src/cli.ts', '--version')
  expect(await version()).not.toContain(MARK)
  expect(await checkout.bundle()).toEqual([])
  expect(await checkout.make()).toBe('')
  await checkout.mark()
  expect(await version()).toContain(MARK)
  expect(await version()).toMatch(/^\d+\.\d+\.\d+$/m)
  expect(await checkout.make()).toBe('')
  expect(await version()).toContain(MARK)
  await checkout.change()
  expect(await version()).not.toContain(MARK)
  expect(await checkout.make()).toBe('')
  await checkout.mark()
  expect(await version()).toContain(MARK)
})
