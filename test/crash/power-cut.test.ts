/**
 * Cuts the power of the disk, under the same load as the kills: a file system of its own is shut down so that only what was
 * flushed is there when it is mounted again. One round in `npm test`, three otherwise, `POWER_ROUNDS` for more.
 */

import { afterAll, describe, expect, test } from 'bun:test'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newId } from '../../src/base/ids.ts'
import { createDiskStorage } from '../../src/storage/disk/disk.ts'
import { store } from '../support/api.ts'
import { randomBytes, sha256 } from '../support/bytes.ts'
import { DATABASE_FILE } from '../support/data-folder.ts'
import { realDisk, useFolder } from '../support/folder.ts'
import { isOrdinaryRun, leftToLong } from '../support/left-out.ts'
import { cutPower, makeImage, mountAfterCut, mountImage, mountProblem, unmount } from '../support/mounts.ts'
import { losePower } from '../support/power-cut.ts'
import { SEED_VARIABLE, testSeed } from '../support/random-seed.ts'
import { type Service, startService } from '../support/service.ts'
import { eventually } from '../support/wait.ts'
import { checkAfterCrash } from './check.ts'
import { createModel } from './model.ts'
import { seededRandom } from './random.ts'
import { startLoad } from './workload.ts'

const ROUNDS = Number(process.env.POWER_ROUNDS ?? (isOrdinaryRun ? 1 : 3))
/** Longer than a turn of the journals in some rounds, shorter in most. */
const LOAD_MS = [100, 1_500] as const

const unmountable = mountProblem()
const folder = await useFolder(realDisk())
const [image, mounted] = [join(folder, 'image'), join(folder, 'mounted')]
const dataDir = join(mounted, 'data')

describe.skipIf(unmountable !== null)(`after a power cut${unmountable ? ` (${unmountable})` : ''}`, () => {
  afterAll(() => unmount(mounted))

  const powerCut = (service: Service) => losePower(service, { image, mounted })

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
      await powerCut(service)
      await load.finished
      await service.restart()
      const violations = await checkAfterCrash(service.url, dataDir, model)
      expect(await readdir(dataDir)).not.toContain(`${DATABASE_FILE}-lost-changes`)
      if (violations.length > 0)
        throw new Error(
          `round ${round} (${SEED_VARIABLE}=${testSeed}):\n${violations.slice(0, 20).join('\n')}`,
        )
    }
  }, 300_000)

  /** Stores short files, cuts the power, and answers how many of them are whole afterwards. */
  async function survivors(
    beforeStart: (service: Service) => Promise<void> = async () => {},
  ): Promise<number> {
    await freshImage()
    await using service = await startService({ dataDir, ownProcess: true, mode: 'embedded' })
    const token = await service.createToken('--name', 'power')
    const bodies = Array.from({ length: 40 }, (_, at) => randomBytes(at, 9_000))
    await Promise.all(bodies.map((body, at) => store(service, token, `short/${at % 5}/${at}.bin`, body)))
    await powerCut(service)
    await beforeStart(service)
    await service.restart()
    const found = await Promise.all(
      bodies.map(async (body, at) => {
        const bytes = await (await fetch(`${service.url}/f/short/${at % 5}/${at}.bin`)).bytes()
        return sha256(bytes) === sha256(body)
      }),
    )
    return found.filter(Boolean).length
  }

  test('short files are whole, though none of them was flushed by itself', async () => {
    expect(await survivors()).toBe(40)
  })

  test('it is the journal that brings them back: without it they are lost', async () => {
    const removeJournals = async () => {
      const staging = join(dataDir, 'staging')
      for (const name of await readdir(staging, { recursive: true }))
        if (name.endsWith('.journal')) await rm(join(staging, name))
    }
    expect(await survivors(removeJournals)).toBeLessThan(40)
  })

  leftToLong(
    'a command that comes first brings them back; a service that starts meanwhile waits for it',
    async () => {
      let command: ReturnType<Service['commandProcess']> | undefined
      const beforeStart = async (service: Service) => {
        command = service.commandProcess('token', 'list')
      }
      expect(await survivors(beforeStart)).toBe(40)
      expect((await command!).code).toBe(0)
    },
  )

  leftToLong('as long as they cannot be brought back nothing starts, and a sentence says so', async () => {
    const beforeStart = async (service: Service) => {
      const inTheWay = join(dataDir, 'files/short/3')
      await rm(inTheWay, { recursive: true, force: true })
      await mkdir(join(dataDir, 'files/short'), { recursive: true })
      await writeFile(inTheWay, '')
      const { code, stderr } = await service.commandProcess('token', 'list')
      expect(code).toBe(2)
      expect(stderr).toMatch(/error .*ENOTDIR.*\nfundus: .* aus dem Journal zurückholen; .*\.\n$/)
      await rm(inTheWay)
    }
    expect(await survivors(beforeStart)).toBe(40)
  })

  leftToLong('the database is lost too, and somebody starts the service before rebuilding it', async () => {
    const beforeStart = async (service: Service) => {
      for (const name of await readdir(dataDir))
        if (name.startsWith(DATABASE_FILE)) await rm(join(dataDir, name))
      await service.restart()
      await service.stop()
      expect((await service.commandProcess('rebuild')).code).toBe(0)
    }
    expect(await survivors(beforeStart)).toBe(40)
  })

  leftToLong(
    'the database is lost: rebuilding does not take a replaced content for the newer one',
    async () => {
      await freshImage()
      await using service = await startService({ dataDir, ownProcess: true, mode: 'embedded' })
      const token = await service.createToken('--name', 'power')
      await store(service, token, 'a/doc.txt', 'old content')
      await store(service, token, 'a/doc.txt', 'new content')
      await service.kill9()
      // The service would have removed it a moment later, before the journal forgets it.
      for (const name of await readdir(join(dataDir, 'files/a'))) {
        const object = join(dataDir, 'files/a', name)
        if ((await Bun.file(object).text()) === 'old content') await rm(object)
      }
      for (const name of await readdir(dataDir))
        if (name.startsWith(DATABASE_FILE)) await rm(join(dataDir, name))
      expect((await service.commandProcess('rebuild')).code).toBe(0)
      await service.restart()
      expect(await (await fetch(`${service.url}/f/a/doc.txt`)).text()).toBe('new content')
    },
  )

  leftToLong(
    'somebody has emptied the staging folder: what is answered after that is safe, or refused',
    async () => {
      await freshImage()
      await using service = await startService({ dataDir, ownProcess: true, mode: 'embedded' })
      const token = await service.createToken('--name', 'power')
      const upload = async (path: string) => {
        const headers = { authorization: `Bearer ${token}`, 'x-path': path }
        return (await fetch(`${service.url}/api/upload`, { method: 'POST', headers, body: path })).status
      }
      expect(await upload('before.txt')).toBe(200)
      for (const name of await readdir(join(dataDir, 'staging')))
        await rm(join(dataDir, 'staging', name), { recursive: true })
      expect(await upload('after.txt')).toBe(500)
      await powerCut(service)
      await service.restart()
      expect((await fetch(`${service.url}/f/after.txt`)).status).toBe(404)
    },
  )

  test('a file that got another name right after its upload is whole under that name', async () => {
    await freshImage()
    const source = (name: string) => JSON.stringify(join(import.meta.dir, '../../src', name))
    const code = `
      const { createDiskStorage } = await import(${source('storage/disk/disk.ts')})
      const { newId } = await import(${source('base/ids.ts')})
      const storage = await createDiskStorage({ root: ${JSON.stringify(dataDir)}, newId })
      for (const name of ['moved', 'stayed', 'removed']) {
        const bytes = new TextEncoder().encode(name)
        await storage.commit(storage.stageWhole(bytes), 'files/' + name, { size: bytes.length, sha256: '' })
      }
      await storage.relocate('files/moved', 'trash/moved')
      for (const name of ['moved', 'removed']) await storage.remove('files/' + name)
      console.log('done')
      setInterval(() => {}, 1000)`
    const child = Bun.spawn([process.execPath, '-e', code], { stdout: 'pipe', stderr: 'inherit' })
    await child.stdout.getReader().read()
    child.kill('SIGSTOP')
    cutPower(mounted)
    child.kill('SIGKILL')
    await child.exited
    await mountAfterCut(image, mounted)
    const isOwned = async (name: string) => name === 'files/stayed'
    const storage = await createDiskStorage({ root: dataDir, newId, isOwned })
    const found = await Promise.all(
      ['trash/moved', 'files/stayed', 'files/removed'].map(async name => {
        const object = await storage.open(name)
        return object && new TextDecoder().decode(await object.bytes())
      }),
    )
    await storage.close()
    expect(found).toEqual(['moved', 'stayed', null])
  })
})
