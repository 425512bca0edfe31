import { expect, test } from 'bun:test'
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { realDisk, useFolder } from '../../../test/support/folder.ts'
import { reportsErrors, wholeFlush } from './whole-flush.ts'

const folder = await useFolder(realDisk())

let programs = 0
/** A program `sync` that is a script, by its true name. */
async function program(script: string, name = 'sync'): Promise<string> {
  const bin = join(folder, `bin-${programs++}`)
  await mkdir(bin)
  await writeFile(join(bin, name), `#!/bin/sh\n${script}\n`)
  await chmod(join(bin, name), 0o755)
  if (name !== 'sync') await symlink(name, join(bin, 'sync'))
  return join(bin, 'sync')
}

test('the real program flushes a real disk', async () => {
  const flush = (await wholeFlush(folder))!
  await flush()
  await expect(wholeFlush(join(folder, 'absent'))).rejects.toThrow('ENOENT')
})

test('a program that fails is an error with its own words', async () => {
  const flush = await wholeFlush(folder, await program('echo "error syncing: $2" >&2; exit 1'))
  await expect(flush!()).rejects.toThrow(`ended with 1: error syncing: ${folder}`)
})

test('one that was stopped by a signal is run once more', async () => {
  const mark = join(folder, 'stopped')
  const once = `test -e ${mark} && exit 0; : > ${mark}; kill -TERM $$`
  await (await wholeFlush(folder, await program(once)))!()
  const flush = await wholeFlush(folder, await program('kill -TERM $$'))
  await expect(flush!()).rejects.toThrow('ended with 143')
})

test('one that is another program by its true name is not taken, nor is a file system that hands on', async () => {
  expect(await wholeFlush(folder, await program('exit 0', 'busybox'))).toBeNull()
  expect(await wholeFlush(folder, null)).toBeNull()
  expect(await wholeFlush('/proc')).toBeNull()
})

test.each([
  ['6.18.44', true],
  ['5.8.0-generic', true],
  ['5.7.19', false],
  ['4.19.0', false],
  ['', false],
])('Linux %s tells of errors: %p', (version, tells) => {
  expect(reportsErrors(version)).toBe(tells)
})
