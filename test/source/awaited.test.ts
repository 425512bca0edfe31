/** An assertion on a promise that nobody awaits cannot fail its test. */
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { Glob } from 'bun'

const REPOSITORY = join(import.meta.dir, '../..')

const forgotten = (source: string) => source.match(/^\s*expect\(.*\)\.(?:rejects|resolves)\..*$/gm) ?? []

test('every assertion about a promise is awaited', async () => {
  const found: string[] = []
  for (const file of new Glob('{src,test,dashboard,clients}/**/*.{ts,tsx}').scanSync(REPOSITORY))
    if (!file.includes('node_modules'))
      for (const line of forgotten(await Bun.file(join(REPOSITORY, file)).text()))
        found.push(`${file}: ${line.trim()}`)
  expect(found).toEqual([])
})

test('one that is not awaited is found', () => {
  const line = 'expect(open()).rejects.toThrow()'
  expect([`  ${line}`, `  await ${line}`, `  return ${line}`].flatMap(forgotten)).toEqual([`  ${line}`])
})
