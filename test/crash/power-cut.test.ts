/**
 * Cuts the power of the disk under the same load as the kills: when its file system is mounted again, only
 * flushed data is there. One round in `npm test`, three otherwise, `POWER_ROUNDS` for more.
 */

import { afterAll, describe, expect, test } from 'bun:test'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { newId } from '../../src/base/ids.ts'
import { createDiskStorage } from '../../src/storage/disk/disk.ts'
import { read, store } from '../support/api.ts'
import { randomBytes, sha256 } from '../support/bytes.ts'
import { DATABASE_FILE, removeDatabase } from '../support/data-folder.ts'
import { realDisk, useFolder } from '../support/folder.ts'
import { isOrdinaryRun, leftToLong } from '../support/left-out.ts'
import { diskOf, makeImage, mountImage, mountProblem, unmount } from '../support/mounts.ts'
import { losePower } from '../support/power-cut.ts'
import { testSeed } from '../support/random-seed.ts'
import { startService } from '../support/service.ts'
import { eventually } from '../support/wait.ts'
import { checkAfterCrash, failIfAny } from './check.ts'
import { createModel } from './model.ts'
import { seededRandom } from './random.ts'
import { startLoad } from './workload.ts'

const ROUNDS = Number(process.env.POWER_ROUNDS ?? (isOrdinaryRun ? 1 : 3))
const LOAD_MS = [100, 1_500] as const

const unmountable = mountProblem()
const folder = await useFolder(realDisk())
const [image, mounted] = [join(folder, 'image'), join(folder, 'mounted')]
const dataDir = join(mounted, 'data')

describe.skipIf(unmountable !== null)(`after a power cut${unmountable ? ` (${unmountable})` : ''}`, () => {
  afterAll(() => unmount(mounted))

  const disk = diskOf(image, mounted)

  async function freshImage(): Promise<void> {
    unmount(mounted)
    await mkdir(mounted, { recursive: true })
    await rm(image, { force: true })
    makeImage(image, 512)
    mountImage(image, mounted)
  }

  test(`nothing that was answered is lost, ${ROUNDS} times`, async () => {
    await freshImage()
    const random = seededRandom(testSeed)
    const model = createModel()
    await using service = await startService({ dataDir, ownProcess: true, mode: 'embedded' })
    const token = await service.createToken('--name', 'power', '--may-delete')
    for (let round = 1; round <= ROUNDS; round++) {
      const load = startLoad({ url: service.url, token }, model, random.fork(), round)
      await eventually('an upload is answered', () => load.uploads() > 0)
      await Bun.sleep(random.between(...LOAD_MS))
      load.end()
      await losePower(service, disk)
      await load.finished
      await service.restart()
      failIfAny(`round ${round}`, await checkAfterCrash(service.url, dataDir, model))
      expect(await readdir(dataDir)).not.toContain(`${DATABASE_FILE}-lost-changes`)
    }
  }, 300_000)

  leftToLong('short files are whole, also with a lost database that is rebuilt', async () => {
    await freshImage()
    await using service = await startService({ dataDir, ownProcess: true, mode: 'embedded' })
    const token = await service.createToken('--name', 'power')
    const bodies = Array.from({ length: 40 }, (_, at) => randomBytes(at, 9_000))
    const pathOf = (at: number) => `short/${at % 5}/${at}.bin`
    await Promise.all(bodies.map((body, at) => store(service, token, pathOf(at), body)))
    const checkAll = async () => {
      const isWhole = async (body: Uint8Array, at: number) =>
        sha256(await (await read(service, pathOf(at))).bytes()) === sha256(body)
      return (await Promise.all(bodies.map(isWhole))).filter(Boolean).length
    }
    await losePower(service, disk)
    await service.restart()
    expect(await checkAll()).toBe(40)
    await service.stop()
    await removeDatabase(dataDir)
    expect((await service.commandProcess('rebuild')).code).toBe(0)
    await service.restart()
    expect(await checkAll()).toBe(40)
  })

  test('a file that got another name right after its upload is whole under that name', async () => {
    await freshImage()
    const source = (name: string) => JSON.stringify(join(import.meta.dir, '../../src', name))
    const code = `
      const { createDiskStorage } = await import(${source('storage/disk/disk.ts')})
      const { newId } = await import(${source('base/ids.ts')})
      const storage = await createDiskStorage({ root: ${JSON.stringify(dataDir)}, newId })
      for (const name of ['moved', 'stayed']) {
        const bytes = new TextEncoder().encode(name)
        await storage.commit(storage.stageWhole(bytes), 'files/' + name, { size: bytes.length, sha256: '' })
      }
      await storage.relocate('files/moved', 'trash/moved')
      await storage.remove('files/moved')
      console.log('done')
      setInterval(() => {}, 1000)`
    const child = Bun.spawn([process.execPath, '-e', code], { stdout: 'pipe', stderr: 'inherit' })
    await child.stdout.getReader().read()
    child.kill('SIGSTOP')
    const isBack = disk.losePower()
    child.kill('SIGKILL')
    await child.exited
    await isBack
    const storage = await createDiskStorage({ root: dataDir, newId })
    const found = await Promise.all(
      ['trash/moved', 'files/stayed'].map(async name => {
        const object = await storage.open(name)
        return object && new TextDecoder().decode(await object.bytes())
      }),
    )
    await storage.close()
    expect(found).toEqual(['moved', 'stayed'])
  })
})
