import { describe, expect, test } from 'bun:test'
import { appendFile, mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { useFolder } from '../../../test/support/folder.ts'
import { newId } from '../../base/ids.ts'
import { openStagingFolder } from './staging-folder.ts'

const root = await useFolder()

let folders = 0
async function fresh() {
  const at = join(root, `staging-${folders++}`)
  return { root: at, own: await openStagingFolder({ root: at, newId }) }
}
const HOUR = 3_600_000

async function addOldFile(folder: string, name: string, age: number) {
  await writeFile(join(folder, name), name)
  const at = (Date.now() - age) / 1000
  await utimes(join(folder, name), at, at)
}

describe('its own folder', () => {
  test('loses what nobody wrote to for so long, and keeps what is younger', async () => {
    const { own } = await fresh()
    await addOldFile(own.path, 'old', 2 * HOUR)
    await addOldFile(own.path, 'older', 9 * HOUR)
    await addOldFile(own.path, 'young', HOUR / 2)
    expect(await own.clear(HOUR)).toBe(2)
    expect(await readdir(own.path)).toEqual(['young'])
    expect(await own.clear(HOUR)).toBe(0)
  })

  test('an upload that has been running for long is young as long as bytes come in', async () => {
    const { own } = await fresh()
    await addOldFile(own.path, 'slow', 9 * HOUR)
    await appendFile(join(own.path, 'slow'), 'still here')
    expect(await own.clear(HOUR)).toBe(0)
  })

  test('something that is no file does not keep the rest from being cleared', async () => {
    const { own } = await fresh()
    await mkdir(join(own.path, 'a-folder'))
    await utimes(join(own.path, 'a-folder'), 0, 0)
    await addOldFile(own.path, 'old', 2 * HOUR)
    expect(await own.clear(HOUR)).toBe(1)
    expect(await readdir(own.path)).toEqual(['a-folder'])
  })

  test('is gone after closing, with its lock', async () => {
    const { root: at, own } = await fresh()
    await writeFile(join(own.path, 'left'), 'left')
    await own.close()
    expect(await readdir(at)).toEqual([])
  })
})

describe('folders of other processes', () => {
  /** Another process that stages one file, and lives until it is killed. */
  async function otherProcess(at: string) {
    const code = `
      const { openStagingFolder } = await import(${JSON.stringify(join(import.meta.dir, 'staging-folder.ts'))})
      const { newId } = await import(${JSON.stringify(join(import.meta.dir, '../../base/ids.ts'))})
      const own = await openStagingFolder({ root: ${JSON.stringify(at)}, newId })
      await Bun.write(own.path + '/half', 'half')
      console.log(own.path)
      setInterval(() => {}, 1000)`
    const child = Bun.spawn([process.execPath, '-e', code], { stdout: 'pipe', stderr: 'inherit' })
    const path = new TextDecoder().decode((await child.stdout.getReader().read()).value).trim()
    return {
      path,
      async kill() {
        child.kill('SIGKILL')
        await child.exited
      },
    }
  }

  test('a living one keeps its files however old they are; a killed one loses them at once', async () => {
    const { root: at, own } = await fresh()
    const other = await otherProcess(at)
    try {
      await utimes(join(other.path, 'half'), 0, 0)
      expect(await own.clear(-1000)).toBe(0)
      expect(await readdir(other.path)).toEqual(['half'])
    } finally {
      await other.kill()
    }
    expect(await own.clear(HOUR)).toBe(1)
    expect(await readdir(at)).toHaveLength(2)
    await own.close()
    expect(await readdir(at)).toEqual([])
  })

  test('two of one process do not clear each other', async () => {
    const { root: at, own } = await fresh()
    const second = await openStagingFolder({ root: at, newId })
    await writeFile(join(second.path, 'a'), 'a')
    expect(await own.clear(-1000)).toBe(0)
    await second.close()
    await own.close()
  })
})

test('what an earlier version staged, and a folder without a lock, go by age', async () => {
  const { root: at, own } = await fresh()
  await addOldFile(at, 'old', 2 * HOUR)
  await addOldFile(at, 'young', HOUR / 2)
  const other = await openStagingFolder({ root: at, newId })
  await rm(`${other.path}.lock`)
  await addOldFile(other.path, 'old', 2 * HOUR)
  await addOldFile(other.path, 'young', HOUR / 2)
  expect(await own.clear(HOUR)).toBe(2)
  expect(await readdir(other.path)).toEqual(['young'])
  expect(await readdir(at)).toContain('young')
  await other.close()
})
