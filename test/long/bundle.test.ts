/** Bundles of the program that are made side by side, out of use, for other users, or cannot be made. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { appendFile, mkdir, rm, stat, symlink, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { MARK, openCheckout } from '../support/checkout.ts'
import { freePort } from '../support/ports.ts'

setDefaultTimeout(180_000)

test('a few bundles stay, one that a service runs on stays until it has ended, and so does what is no bundle', async () => {
  await using checkout = await openCheckout()
  const brokenOff = join(checkout.path, 'dist/new-1')
  await mkdir(brokenOff, { recursive: true })
  await utimes(brokenOff, 0, 0)
  await Bun.write(join(checkout.path, 'dist/notes/mine.txt'), 'mine')
  const change = async () => {
    await appendFile(join(checkout.path, 'src/sha256.ts'), '\n')
    expect(await checkout.run('src/bundle/make.ts')).toBe('')
  }
  await change()
  const [first] = (await checkout.bundles()).filter(name => name !== 'notes')
  const service = Bun.spawn([process.execPath, 'src/cli.ts', 'start', '--no-build'], {
    cwd: checkout.path,
    env: {
      ...process.env,
      DATA_DIR: join(checkout.path, 'data'),
      PORT: String(freePort()),
      LOG_LEVEL: 'info',
    },
    stderr: 'inherit',
  })
  const { value } = await service.stdout.getReader().read()
  expect(new TextDecoder().decode(value)).not.toBe('')
  for (const _ of [1, 2, 3, 4]) await change()
  expect(await checkout.bundles()).toEqual(expect.arrayContaining([first!, 'notes']))
  expect(await checkout.bundles()).toHaveLength(5)
  service.kill()
  await service.exited
  await change()
  expect(await checkout.bundles()).not.toContain(first!)
  expect(await checkout.bundles()).toHaveLength(4)
})

test('several makers at once: one bundle and no complaint; an empty folder of its name is no bundle', async () => {
  await using checkout = await openCheckout()
  const made = await Promise.all([1, 2, 3].map(() => checkout.run('src/bundle/make.ts')))
  expect(made).toEqual(['', '', ''])
  const [bundle] = await checkout.bundles()
  await rm(join(checkout.path, 'dist', bundle!), { recursive: true })
  await mkdir(join(checkout.path, 'dist', bundle!))
  await checkout.run('src/bundle/make.ts')
  expect(await checkout.bundles()).toEqual([bundle!])
  await checkout.mark()
  expect(await checkout.run('src/cli.ts', '--version')).toContain(MARK)
})

test('a bundle is for every user of the machine, whatever its maker keeps to himself', async () => {
  await using checkout = await openCheckout()
  const made = Bun.spawnSync(['sh', '-c', 'umask 077; exec "$0" src/bundle/make.ts', process.execPath], {
    cwd: checkout.path,
  })
  expect(made.exitCode).toBe(0)
  const [bundle] = await checkout.bundles()
  const modes = ['dist', `dist/${bundle}`, `dist/${bundle}/command-line.js`].map(
    async name => (await stat(join(checkout.path, name))).mode & 0o777,
  )
  expect(await Promise.all(modes)).toEqual([0o755, 0o755, 0o644])
})

test('the stack of an error names the sources', async () => {
  await using checkout = await openCheckout()
  await appendFile(join(checkout.path, 'src/version.ts'), "\nthrow new Error('on purpose')\n")
  await checkout.run('src/bundle/make.ts')
  expect(await checkout.bundles()).toHaveLength(1)
  expect(await checkout.run('src/cli.ts', '--version')).toMatch(/src\/version\.ts:\d+/)
})

test('an address that a bundle cannot follow keeps one from being made', async () => {
  await using checkout = await openCheckout()
  await appendFile(join(checkout.path, 'src/version.ts'), '\nexport const here = import.meta.dirname\n')
  expect(await checkout.run('src/bundle/make.ts')).toContain('import.meta.dirname')
  expect(await checkout.bundles()).toEqual([])
})

test('where no bundle can be written, or not all sources be read, the sources are run', async () => {
  await using checkout = await openCheckout()
  await Bun.write(join(checkout.path, 'dist'), 'a file where the folder would be')
  expect(await checkout.run('src/cli.ts', 'start', '--unknown')).toContain('--unknown')
  // The mark of an editor for a file that is not saved.
  await symlink('nowhere', join(checkout.path, 'src/.#main.ts'))
  expect(await checkout.run('src/cli.ts', '--version')).toMatch(/^\d+\.\d+\.\d+$/m)
})
