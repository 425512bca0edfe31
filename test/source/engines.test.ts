/**
 * Every package that npm installs accepts the Node versions that package.json promises, so there is no
 * `EBADENGINE` warning.
 */
import { expect, test } from 'bun:test'
import { join } from 'node:path'

const REPOSITORY = join(import.meta.dir, '../..')
const read = (name: string) => Bun.file(join(REPOSITORY, name)).json()

interface Locked {
  engines?: { node?: string; npm?: string }
  os?: string[]
  cpu?: string[]
}

/**
 * Platforms that have the runtime. Packages for other platforms are in the lock file but are never installed.
 */
const SYSTEMS = ['linux', 'darwin', 'win32']
const PROCESSORS = ['x64', 'arm64']
const isInstalled = ({ os = SYSTEMS, cpu = PROCESSORS }: Locked) =>
  os.some(each => SYSTEMS.includes(each)) && cpu.some(each => PROCESSORS.includes(each))

/** The lowest version of each part of a range such as `^20.19.0 || >=22.12.0`. */
const lowest = (range: string) => range.split('||').map(part => part.replace(/[^\d.]/g, ''))

const complaints = (range: string, packages: Record<string, Locked>) =>
  Object.entries(packages).flatMap(([name, locked]) =>
    lowest(range)
      .filter(node => isInstalled(locked) && !Bun.semver.satisfies(node, locked.engines?.node ?? '*'))
      .map(node => `${name} does not accept Node ${node}`),
  )

test('every installed package accepts the lowest Node versions that package.json names', async () => {
  const { engines } = await read('package.json')
  const { packages } = await read('package-lock.json')
  expect(complaints(engines.node, packages)).toEqual([])
})

test('a package that wants more is found, one for another machine is not', () => {
  expect(
    complaints('^20.19.0 || >=22.12.0', {
      'node_modules/a': { engines: { node: '>=22' } },
      'node_modules/b': { engines: { node: '>=26' }, cpu: ['ia32'] },
      'node_modules/c': { engines: { node: '^20.19.0 || >=22.12.0' } },
      'node_modules/d': {},
    }),
  ).toEqual(['node_modules/a does not accept Node 20.19.0'])
})

/** Debian 13 ships this npm with a supported Node, and it must suffice. */
const DEBIANS_NPM = '9.2.0'

const refusals = (npm: string, packages: Record<string, Locked>) =>
  Object.entries(packages).flatMap(([name, { engines }]) =>
    Bun.semver.satisfies(npm, engines?.npm ?? '*') ? [] : [name || 'package.json'],
  )

test('the npm that Debian ships beside a supported Node may install this project', async () => {
  const project = await read('package.json')
  const { packages } = await read('package-lock.json')
  expect(refusals(DEBIANS_NPM, { ...packages, '': project })).toEqual([])
  expect(refusals(DEBIANS_NPM, { '': { engines: { npm: '>=10' } } })).toEqual(['package.json'])
})

test('README and README.de name the lowest Node version of package.json', async () => {
  const { engines } = await read('package.json')
  for (const name of ['README.md', 'README.de.md'])
    for (const version of lowest(engines.node))
      expect(await Bun.file(join(REPOSITORY, name)).text()).toContain(version.replace(/\.0$/, ''))
})

test('npm refuses an older Node at once, with the versions that are needed, instead of leaving out packages', async () => {
  // Otherwise npm only warns and skips the compiler of the dashboard, and the first start fails with a stack
  // trace.
  expect(await Bun.file(join(REPOSITORY, '.npmrc')).text()).toMatch(/^engine-strict=true$/m)
})
