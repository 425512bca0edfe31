import { describe, expect, test } from 'bun:test'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { useFolder } from '../../test/support/folder.ts'
import { newId } from '../ids.ts'
import { errorCode } from './platform.ts'
import { asStorageError, createScratch } from './scratch.ts'
import { StorageFullError } from './storage.ts'

const root = await useFolder()

let folders = 0
async function fresh() {
  const folder = join(root, `staging-${folders++}`)
  return { folder, scratch: await createScratch({ folder, newId }) }
}
const text = (value: string) => new TextEncoder().encode(value)
const HOUR = 3_600_000

describe('asStorageError', () => {
  test.each(['ENOSPC', 'EDQUOT', 'EFBIG'])('%s means that the store is full, and keeps its cause', code => {
    const cause = Object.assign(new Error(code), { code })
    const error = asStorageError(cause)
    expect(error).toBeInstanceOf(StorageFullError)
    expect((error as Error).cause).toBe(cause)
  })

  test.each(['ENOENT', 'EIO', 'EACCES', ''])('%j stays what it is', code => {
    const error = Object.assign(new Error(code), { code })
    expect(asStorageError(error)).toBe(error)
  })
})

describe('staging', () => {
  test('no two uploads share a file, even if an id came twice', async () => {
    const folder = join(root, 'twice')
    const scratch = await createScratch({ folder, newId: () => 'same' })
    const first = await scratch.stage()
    await first.write(text('first'))
    expect(errorCode(await scratch.stage().catch(e => e))).toBe('EEXIST')
    await first.finish()
    expect(await Bun.file(first.file).text()).toBe('first')
  })

  test('nothing can be written after the end', async () => {
    const { scratch } = await fresh()
    const staging = await scratch.stage()
    await staging.write(text('done'))
    await staging.finish()
    await staging.finish()
    await expect(staging.write(text('more'))).rejects.toThrow('complete')
    expect(await Bun.file(staging.file).text()).toBe('done')
  })

  test('discarding in the middle of writing leaves no file, and finishing then fails', async () => {
    const { scratch, folder } = await fresh()
    const staging = await scratch.stage()
    await staging.write(text('half'))
    await staging.discard()
    await staging.discard()
    expect(await readdir(folder)).toEqual([])
    await expect(staging.finish()).rejects.toThrow()
  })

  test('an adopted file is not written to, and discarding takes it away', async () => {
    const { scratch, folder } = await fresh()
    const file = join(folder, 'made-elsewhere')
    await writeFile(file, 'made')
    const staging = scratch.adopt(file)
    await expect(staging.write(text('more'))).rejects.toThrow('complete')
    await staging.finish()
    expect(await Bun.file(file).text()).toBe('made')
    await staging.discard()
    expect(await readdir(folder)).toEqual([])
  })

  test('adopting what is not there fails at the latest when it is flushed', async () => {
    const { scratch, folder } = await fresh()
    expect(
      errorCode(
        await scratch
          .adopt(join(folder, 'none'))
          .finish()
          .catch(e => e),
      ),
    ).toBe('ENOENT')
  })
})

describe('clear', () => {
  async function aged(folder: string, name: string, age: number) {
    await writeFile(join(folder, name), name)
    const at = (Date.now() - age) / 1000
    await utimes(join(folder, name), at, at)
  }

  test('takes what nobody wrote to for so long, and keeps what is younger', async () => {
    const { scratch, folder } = await fresh()
    await aged(folder, 'old', 2 * HOUR)
    await aged(folder, 'older', 9 * HOUR)
    await aged(folder, 'young', HOUR / 2)
    expect(await scratch.clear(HOUR)).toBe(2)
    expect(await readdir(folder)).toEqual(['young'])
    expect(await scratch.clear(HOUR)).toBe(0)
  })

  test('an upload that has been running for long is young as long as bytes come in', async () => {
    const { scratch, folder } = await fresh()
    const staging = await scratch.stage()
    await utimes(staging.file, 0, 0)
    await staging.write(text('still here'))
    expect(await scratch.clear(HOUR)).toBe(0)
    expect(await readdir(folder)).toHaveLength(1)
    await staging.discard()
  })

  test('something that is no file does not keep the rest from being cleared', async () => {
    const { scratch, folder } = await fresh()
    await mkdir(join(folder, 'a-folder'))
    await utimes(join(folder, 'a-folder'), 0, 0)
    await aged(folder, 'old', 2 * HOUR)
    expect(await scratch.clear(HOUR)).toBeGreaterThanOrEqual(1)
    expect(await readdir(folder)).not.toContain('old')
  })
})
