/**
 * A file of the store that another program holds open: on Windows it can be neither renamed nor removed until
 * that program closes it.
 */
import { expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { bytesOf, expectSameBytes, read, remove, store } from '../support/api.ts'
import { randomBytes } from '../support/bytes.ts'
import { sharedLibrary } from '../support/library.ts'
import { eventually } from '../support/wait.ts'
import { pathOnZ, programCommand, windowsOrFail } from '../support/windows.ts'

const library = sharedLibrary({ dataDir: 'C:\\open-files' })
const bytes = randomBytes(1, 300_000)

const objects = async () =>
  (
    await readdir(join(windowsOrFail().driveC, 'open-files/files'), { recursive: true, withFileTypes: true })
  ).flatMap(entry => (entry.isFile() ? [join(entry.parentPath, entry.name)] : []))

/** Holds open the only object whose name contains this, until it is disposed of. */
async function hold(name: string): Promise<AsyncDisposable> {
  const object = (await objects()).find(path => path.includes(name))!
  const onC = `C:${object.slice(windowsOrFail().driveC.length).replaceAll('/', '\\')}`
  const { command, cwd, env } = programCommand(
    pathOnZ(join(import.meta.dir, 'programs/hold-open.ts')),
    [onC],
    {},
  )
  const child = Bun.spawn(command, { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] })
  const { value } = await child.stdout.getReader().read()
  expect(new TextDecoder().decode(value).trim()).toBe('held')
  return {
    async [Symbol.asyncDispose]() {
      child.stdin.end()
      await child.exited
    },
  }
}

test('renamed while it is open elsewhere: the new address answers at once, the name on the disk follows later', async () => {
  await store(library.service, library.token, 'viewer/before.bin', bytes)
  {
    await using _ = await hold('before~')
    await library.done('media/umbenennen', { pfad: 'viewer/before.bin', name: 'after.bin' })
    expectSameBytes(await bytesOf(await read(library.service, 'viewer/after.bin')), bytes)
    expect((await read(library.service, 'viewer/before.bin')).status).toBe(404)
  }
  await eventually('only the new name is there', async () => {
    const names = await objects()
    return names.length === 1 && names[0]!.includes('after~')
  })
  expectSameBytes(await bytesOf(await read(library.service, 'viewer/after.bin')), bytes)
})

test('deleted while it is open elsewhere: gone from its address at once, from the disk when it is let go', async () => {
  await store(library.service, library.token, 'viewer/gone.bin', bytes)
  {
    await using _ = await hold('gone~')
    expect((await remove(library.service, library.token, 'viewer/gone.bin')).status).toBe(200)
    expect((await read(library.service, 'viewer/gone.bin')).status).toBe(404)
    expect((await objects()).some(path => path.includes('gone~'))).toBe(true)
  }
  await eventually(
    'the object is removed',
    async () => !(await objects()).some(path => path.includes('gone~')),
  )
})

test('overwritten while it is open elsewhere: the new bytes are there at once', async () => {
  const other = randomBytes(2, 1000)
  await store(library.service, library.token, 'viewer/again.bin', bytes)
  {
    await using _ = await hold('again~')
    expect((await store(library.service, library.token, 'viewer/again.bin', other)).replaced).toBe(true)
    expectSameBytes(await bytesOf(await read(library.service, 'viewer/again.bin')), other)
  }
  await eventually('one object is left', async () => {
    const names = await objects()
    return names.filter(path => path.includes('again~')).length === 1
  })
})
