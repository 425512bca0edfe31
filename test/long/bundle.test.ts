/**
 * Bundles of the program that are built concurrently, beside a service, for other users, or cannot be built.
 */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { appendFile, stat, symlink, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { MARK, openCheckout } from '../support/checkout.ts'
import { freePort } from '../support/ports.ts'
import { eventually } from '../support/wait.ts'

setDefaultTimeout(180_000)

test('a service goes on beside new builds: what it loads later is still there', async () => {
  await using checkout = await openCheckout()
  await checkout.make()
  const port = freePort()
  const service = Bun.spawn([process.execPath, 'src/cli.ts', 'start', '--no-build'], {
    cwd: checkout.path,
    env: { ...process.env, DATA_DIR: join(checkout.path, 'data'), PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await using _ended = {
    async [Symbol.asyncDispose]() {
      service.kill()
      await service.exited
    },
  }
  const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
  await eventually('the service', async () => (await ask('/health').catch(() => null))?.ok)
  // Other names for what is loaded with the description of the interface, and a bundle in which the earlier
  // names are not.
  await appendFile(join(checkout.path, 'src/contract/values/units.ts'), '\nexport const ADDED = 1\n')
  await appendFile(
    join(checkout.path, 'src/features/api-document/openapi.ts'),
    "\nimport { ADDED } from '../../contract/values/units.ts'\nexport const added = () => console.log(ADDED)\n",
  )
  const before = await checkout.bundle()
  expect(await checkout.make()).toBe('')
  expect(await checkout.bundle()).toEqual(expect.arrayContaining(before))
  expect((await checkout.bundle()).length).toBeGreaterThan(before.length)
  expect((await ask('/api/openapi.json')).status).toBe(200)
})

test('files of earlier bundles go after a month', async () => {
  await using checkout = await openCheckout()
  await checkout.make()
  const old = join(checkout.path, 'dist/chunk-old.js')
  const young = join(checkout.path, 'dist/chunk-young.js')
  for (const path of [old, young]) await Bun.write(path, '')
  const days = (number: number) => new Date(Date.now() - number * 86_400_000)
  await utimes(old, days(31), days(31))
  await utimes(young, days(29), days(29))
  await checkout.change()
  await checkout.make()
  expect(await checkout.bundle()).toContain('chunk-young.js')
  expect(await checkout.bundle()).not.toContain('chunk-old.js')
})

test('several makers at once: one bundle and no complaint', async () => {
  await using checkout = await openCheckout()
  const made = await Promise.all([1, 2, 3].map(() => checkout.make()))
  expect(made).toEqual(['', '', ''])
  await checkout.mark()
  expect(await checkout.run('src/cli.ts', '--version')).toContain(MARK)
})

test('a bundle is for every user of the machine, whatever its maker keeps to himself', async () => {
  await using checkout = await openCheckout()
  const made = Bun.spawnSync(
    ['sh', '-c', 'umask 077; exec "$0" src/program/bundle/make.ts', process.execPath],
    {
      cwd: checkout.path,
    },
  )
  expect(made.exitCode).toBe(0)
  const modes = ['dist', 'dist/command-line.js'].map(
    async name => (await stat(join(checkout.path, name))).mode & 0o777,
  )
  expect(await Promise.all(modes)).toEqual([0o755, 0o644])
})

test('the stack of an error names the sources', async () => {
  await using checkout = await openCheckout()
  await appendFile(join(checkout.path, 'src/program/output.ts'), "\nthrow new Error('on purpose')\n")
  await checkout.make()
  await checkout.mark()
  expect(await checkout.run('src/cli.ts', '--version')).toMatch(/src\/program\/output\.ts:\d+/)
})

test('where no bundle can be written, a start goes on from the sources, and a build fails', async () => {
  await using checkout = await openCheckout()
  await Bun.write(join(checkout.path, 'dist'), 'a file where the folder would be')
  expect(await checkout.run('src/program/bundle/make.ts', '--if-possible')).toBe('')
  expect(await checkout.make()).toContain('EEXIST')
  // The lock file that an editor creates for unsaved changes.
  await symlink('nowhere', join(checkout.path, 'src/.#main.ts'))
  expect(await checkout.run('src/cli.ts', '--version')).toMatch(/^\d+\.\d+\.\d+$/m)
})
