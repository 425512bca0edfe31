/**
 * The disk fails beneath the service: the answer is a sentence with a reference that the log also has, and
 * nothing is damaged.
 */
import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { bytesOf, exists, expectError, expectSameBytes, read, store, upload } from '../support/api.ts'
import { randomBytes } from '../support/bytes.ts'
import { leavesNothing, objectFiles, removeObject } from '../support/data-folder.ts'
import { openFolder } from '../support/folder.ts'
import { isShared } from '../support/modes.ts'
import { fill, mount, mountProblem, unmount } from '../support/mounts.ts'
import { atInstance, type Service, startService } from '../support/service.ts'
import { sharedService } from '../support/shared-service.ts'
import { eventually } from '../support/wait.ts'

setDefaultTimeout(180_000)
const MB = 1024 * 1024

/** The reference number in a sentence, once the log has it too. */
async function referenceIn(sentence: string, service: Service): Promise<string> {
  const reference = /\bNummer ([\w-]{6,})/.exec(sentence)?.[1] ?? ''
  expect(reference).not.toBeEmpty()
  const line = () => service.logs().find(each => JSON.stringify(each).includes(reference))
  expect(await eventually('a log line with the reference', line)).toMatchObject({ level: 'error' })
  return reference
}

describe('an object that is gone or unreadable', () => {
  const on = sharedService()
  // The instance that stored a file has it in its cache, the other does not.
  const [one, other] = [() => atInstance(on.service, 0), () => atInstance(on.service, -1)]
  const removed: [what: string, path: string, size: number, folder: boolean][] = [
    ['removed, small', 'gone/small.bin', 10_000, false],
    ['removed, large', 'gone/large.bin', 3 * MB, false],
  ]
  const replaced: typeof removed = [
    ['a folder in its place, small', 'folder/small.bin', 10_000, true],
    ['a folder in its place, large', 'folder/large.bin', 3 * MB, true],
  ]
  // An object store has no folders.
  const cases = isShared() ? removed : [...removed, ...replaced]

  beforeAll(async () => {
    for (const [, path, size, folder] of cases) {
      await store(one(), on.token, path, randomBytes(size, size))
      const [object] = await objectFiles(on.service.dataDir, path)
      await removeObject(on.service.dataDir, object!)
      if (folder) await mkdir(join(on.service.dataDir, object!))
    }
    // No answer may come from a cache that a restart would empty.
    await on.service.restart()
  })

  test.each(cases)('%s: a clean 500 whose reference stands in the log', async (_, path) => {
    const sentence = await expectError(await read(other(), path), 500)
    expect(sentence).not.toMatch(/ENOENT|EISDIR|\/tmp|files\/|\.ts\b/)
    await referenceIn(sentence, on.service)
  })

  test('a range of it is answered likewise', async () => {
    await expectError(await read(other(), 'gone/large.bin', { Range: 'bytes=5-9' }), 500)
  })

  test('two failures have two references', async () => {
    const sentence = () => read(other(), 'gone/small.bin').then(answer => expectError(answer, 500))
    const first = await referenceIn(await sentence(), on.service)
    expect(await referenceIn(await sentence(), on.service)).not.toBe(first)
  })

  test.each(cases)('%s: uploaded again, it is whole again', async (_, path) => {
    const answer = await store(on.service, on.token, path, 'new')
    expect(answer.replaced).toBe(true)
    expect(await (await read(on.service, path)).text()).toBe('new')
  })
})

describe('disk full', () => {
  /** Checks everything that must hold on a full disk, whatever filled it. `size`: bytes that do not fit. */
  async function expectRefusal(service: Service, token: string, size: number) {
    const big = randomBytes(9, size)
    await leavesNothing(service.dataDir, async () => {
      const fresh = await upload(service, token, big, { 'X-Path': 'full/new.bin' })
      expect(fresh.status).toBeWithin(500, 600)
      await expectError(fresh, fresh.status)
      const over = await upload(service, token, big, { 'X-Path': 'full/kept.bin' })
      expect(over.status).toBeWithin(500, 600)
      await expectError(over, over.status)
    })
    expect(await exists(service, token, 'full/new.bin')).toBe(false)
    expectSameBytes(await bytesOf(await read(service, 'full/kept.bin')), randomBytes(1, 10_000))
  }

  test('a limit on the size of one file (POSIX, no rights needed)', async () => {
    // In blocks of 512 bytes: 4 MB. The signal is ignored, because otherwise the system would end the
    // process.
    const wrapper = ['sh', '-c', 'trap "" XFSZ; ulimit -f 8192; exec "$@"', 'sh']
    await using both = await startService({ wrapper })
    const service = atInstance(both, 0)
    const token = await both.createToken()
    await store(service, token, 'full/kept.bin', randomBytes(1, 10_000))
    await expectRefusal(service, token, 12 * MB)
    await store(service, token, 'full/after.bin', randomBytes(2, MB))
  })

  const unmountable = mountProblem()
  const name = 'a real file system without room (tmpfs)'
  // The test's name says why it cannot run here; the limit above covers the same answers.
  test.skipIf(unmountable !== null)(unmountable === null ? name : `${name}: ${unmountable}`, async () => {
    await using folder = await openFolder()
    const dataDir = folder.path
    mount(dataDir, 24)
    try {
      await using both = await startService({ dataDir })
      const service = atInstance(both, 0)
      const token = await both.createToken()
      await store(service, token, 'full/kept.bin', randomBytes(1, 10_000))
      const ballast = join(dataDir, 'ballast')

      await fill(ballast, 24 * MB)
      await expectRefusal(service, token, 6 * MB)
      const small = await upload(service, token, 'x', { 'X-Path': 'full/small.txt' })
      if (small.status !== 200) await expectError(small, small.status)

      await rm(ballast)
      await store(service, token, 'full/after.bin', randomBytes(2, 6 * MB))
      expectSameBytes(await bytesOf(await read(service, 'full/after.bin')), randomBytes(2, 6 * MB))

      // The disk becomes full in the middle of the upload, not before it.
      await fill(ballast, 14 * MB)
      await expectRefusal(service, token, 6 * MB)
      await rm(ballast)
      await store(service, token, 'full/new.bin', randomBytes(3, 6 * MB))
      await service.restart()
      expectSameBytes(await bytesOf(await read(service, 'full/new.bin')), randomBytes(3, 6 * MB))
    } finally {
      unmount(dataDir)
    }
  })
})
