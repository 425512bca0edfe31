import { describe, expect, test } from 'bun:test'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { useFolder } from '../../../test/support/folder.ts'
import { newId } from '../../base/ids.ts'
import { errorCode } from '../../base/system/error-code.ts'
import { StorageFullError } from '../storage.ts'
import { asStorageError, createScratch } from './scratch.ts'

const root = await useFolder()

let folders = 0
async function fresh() {
  const scratch = await createScratch({ root: join(root, `staging-${folders++}`), newId, isFlushed: true })
  return { folder: scratch.scratch, scratch }
}
const text = (value: string) => new TextEncoder().encode(value)

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
    const scratch = await createScratch({ root: join(root, 'twice'), newId: () => 'same', isFlushed: true })
    const first = await scratch.stage()
    await first.write(text('first'))
    expect(errorCode(await scratch.stage().catch(e => e))).toBe('EEXIST')
    await first.finish()
    expect(await Bun.file(await first.file()).text()).toBe('first')
  })

  test('bytes that are there as a whole are staged and complete; an id that came twice takes nothing away', async () => {
    const scratch = await createScratch({ root: join(root, 'whole'), newId: () => 'same', isFlushed: true })
    const first = scratch.stageWhole(text('first'))
    await expect(first.write(text('more'))).rejects.toThrow('complete')
    expect([first.bytes, await readdir(scratch.scratch)]).toEqual([text('first'), []])
    await first.finish()
    expect(first.bytes).toBeNull()
    const second = scratch.stageWhole(text('second'))
    expect(errorCode(await second.file().catch(e => e))).toBe('EEXIST')
    await second.discard()
    expect(await Bun.file(await first.file()).text()).toBe('first')
    await first.discard()
    expect(await readdir(scratch.scratch)).toEqual([])
  })

  test('what was given another name is not discarded, even if the staging name was used again', async () => {
    const { scratch } = await fresh()
    const staging = scratch.stageWhole(text('moved'))
    await staging.file()
    staging.markMoved()
    await staging.discard()
    expect(await Bun.file(await staging.file()).text()).toBe('moved')
  })

  test('nothing can be written after the end', async () => {
    const { scratch } = await fresh()
    const staging = await scratch.stage()
    await staging.write(text('done'))
    await staging.finish()
    await staging.finish()
    await expect(staging.write(text('more'))).rejects.toThrow('complete')
    expect(await Bun.file(await staging.file()).text()).toBe('done')
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
