/** The program as a bundle of its sources: made, used, and never used for other sources. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { appendFile, cp, mkdir, readdir, symlink, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { openFolder } from '../support/folder.ts'

setDefaultTimeout(180_000)

const REPOSITORY = join(import.meta.dir, '../..')
const MARK = 'out of the bundle'

/** A checkout of its own, with the packages of this one. */
async function openCheckout() {
  const folder = await openFolder()
  const { path } = folder
  for (const name of ['src', 'package.json'])
    await cp(join(REPOSITORY, name), join(path, name), { recursive: true })
  await symlink(join(REPOSITORY, 'node_modules'), join(path, 'node_modules'))
  const bundles = () => readdir(join(path, 'dist')).catch((): string[] => [])
  return {
    path,
    bundles,
    async run(...args: string[]): Promise<string> {
      const child = Bun.spawn([process.execPath, ...args], { cwd: path, stdout: 'pipe', stderr: 'pipe' })
      const [output, trouble] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
      return output + trouble
    },
    /** Lets the bundle say that it runs. */
    async mark() {
      const [bundle] = await bundles()
      await appendFile(join(path, 'dist', bundle!, 'command-line.js'), `\nconsole.log('${MARK}')\n`)
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
}

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

test('a few bundles stay for services that still run on them; what was broken off goes', async () => {
  await using checkout = await openCheckout()
  const brokenOff = join(checkout.path, 'dist/new-1')
  await mkdir(brokenOff, { recursive: true })
  await utimes(brokenOff, 0, 0)
  for (let round = 1; round <= 5; round++) {
    await appendFile(join(checkout.path, 'src/sha256.ts'), '\n')
    await checkout.run('src/bundle/make.ts')
    expect(await checkout.bundles()).toHaveLength(Math.min(round, 3))
  }
})

test('where no bundle can be written, the sources are run', async () => {
  await using checkout = await openCheckout()
  await Bun.write(join(checkout.path, 'dist'), 'a file where the folder would be')
  expect(await checkout.run('src/cli.ts', 'start', '--unknown')).toContain('--unknown')
})
