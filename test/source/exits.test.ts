/**
 * A process that calls exit loses output that was not read yet: so commands return, and `runProcess` ends the
 * process.
 */
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { Glob } from 'bun'

const SOURCES = join(import.meta.dir, '../../src')

const MAY_EXIT = [
  // A decoder, which has no output for people.
  'images/decoder/end.ts',
  'images/testing/rogue.ts',
  'program/command-line.ts',
  // The second signal: the operator does not want to wait.
  'service/stop-signal.ts',
]

test('only these files end the process', async () => {
  const found: string[] = []
  for await (const name of new Glob('**/*.ts').scan(SOURCES))
    if ((await Bun.file(join(SOURCES, name)).text()).includes('process.exit(')) found.push(name)
  expect(found.map(name => name.replaceAll('\\', '/')).sort()).toEqual(MAY_EXIT)
})
