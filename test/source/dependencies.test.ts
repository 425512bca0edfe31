/** docs/dependencies.md has one line for each package in package.json, with the licence in the lock file. */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readLock } from '../../release/packages.ts'

const REPOSITORY = resolve(import.meta.dir, '../..')
const read = (name: string) => readFileSync(join(REPOSITORY, name), 'utf8')

test('every dependency has its line: licence, purpose, what it may touch', async () => {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read('package.json'))
  const lock = await readLock()
  const names = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })
  const expected = names.map(name => `${name}: ${lock[`node_modules/${name}`]?.license}`)
  const lines = [...read('docs/dependencies.md').matchAll(/^\| `([^`]+)` \| ([^|]+) \| [^|]+ \| [^|]+ \|$/gm)]
  expect(lines.map(([, name, licence]) => `${name}: ${licence}`).sort()).toEqual(expected.sort())
})

test('versions are pinned exactly, and the lock names no addresses', () => {
  const { dependencies, devDependencies, optionalDependencies, overrides } = JSON.parse(read('package.json'))
  for (const version of Object.values({
    ...dependencies,
    ...devDependencies,
    ...optionalDependencies,
    ...overrides,
  }))
    expect(version).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/)
  expect(read('package-lock.json')).not.toContain('"resolved"')
})
