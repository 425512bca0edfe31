/** Which packages an archive gets: what is needed, at the place where it is found, for one platform. */
import { expect, test } from 'bun:test'
import { type Lock, type Package, PLATFORMS, packagesFor, readLock } from './packages.ts'

const of = (more: Partial<Lock[string]> = {}) => ({ version: '1.0.0', integrity: 'sha512-x', ...more })
const LOCK: Lock = {
  'node_modules/a': of({
    dependencies: { b: '1', '@types/c': '1' },
    optionalDependencies: { 'a-win': '1', 'a-musl': '1', gone: '1' },
  }),
  'node_modules/a/node_modules/b': of({ dependencies: { d: '1' } }),
  'node_modules/b': of({ version: '2.0.0' }),
  'node_modules/d': of(),
  'node_modules/e': of(),
  'node_modules/@types/c': of(),
  'node_modules/a-win': of({ os: ['win32'], cpu: ['x64'] }),
  'node_modules/a-musl': of({ os: ['linux'], cpu: ['arm64'], libc: ['musl'] }),
}
const places = (packages: readonly Package[]) => packages.map(({ path }) => path)

test.each([
  ['windows-x64', ['node_modules/a-win']],
  ['linux-arm64-musl', ['node_modules/a-musl']],
  ['linux-arm64-glibc', []],
  ['linux-x64-musl', []],
])('%s: what a package needs, the nearest first, and only what is for the platform', (name, own) => {
  const all = ['node_modules/a', ...own, 'node_modules/a/node_modules/b', 'node_modules/d']
  expect(places(packagesFor(LOCK, ['a'], PLATFORMS[name]!))).toEqual(all.sort())
})

test('a package that the lock does not know is an error', () => {
  expect(() => packagesFor(LOCK, ['gone'], PLATFORMS['windows-x64']!)).toThrow('does not know gone')
})

test.each(Object.entries(PLATFORMS))(
  '%s: the lock of this project has runtime and sharp for it',
  async (_, platform) => {
    const names = packagesFor(await readLock(), ['bun', 'sharp'], platform).map(({ name }) => name)
    expect(names.filter(name => name.startsWith('@oven/'))).toHaveLength(1)
    expect(names.filter(name => name.startsWith('@img/sharp'))).toHaveLength(platform.os === 'win32' ? 1 : 2)
  },
)
