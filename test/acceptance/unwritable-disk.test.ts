/**
 * A disk on which no file can be created although it has space: every refusal is a sentence, and no stored
 * file is lost.
 */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { bytesOf, expectError, expectSameBytes, read, remove, store, upload } from '../support/api.ts'
import { randomBytes } from '../support/bytes.ts'
import { ADMIN_ENV, signIn } from '../support/dashboard.ts'
import { openFolder } from '../support/folder.ts'
import {
  fillInodes,
  mount,
  mountProblem,
  mountReadOnly,
  remountWritable,
  unmount,
} from '../support/mounts.ts'
import { type Service, startService } from '../support/service.ts'
import { emptyTrash, restore, throwAway, trashOf } from '../support/trash.ts'

setDefaultTimeout(180_000)
const MB = 1024 * 1024
/** Two sizes that stay in memory, and one that is staged on disk. */
const SIZES = [10, 10_000, 2 * MB]
const unmountable = mountProblem()
const where = unmountable === null ? '' : `: ${unmountable}`

const disk = async (service: Service) => {
  const response = await fetch(`${service.url}/status`)
  const { pruefungen } = (await response.json()) as {
    pruefungen: { was: string; ok: boolean; code?: string }[]
  }
  return { status: response.status, ...pruefungen.find(({ was }) => was === 'platte') }
}

async function storeAll(service: Service, token: string, folder: string): Promise<void> {
  for (const size of SIZES) await store(service, token, `${folder}/${size}`, randomBytes(size, size))
}
async function expectAll(service: Service, folder: string): Promise<void> {
  for (const size of SIZES)
    expectSameBytes(await bytesOf(await read(service, `${folder}/${size}`)), randomBytes(size, size))
}
/** Neither a new file nor new content for an existing one is accepted. */
async function expectRefusals(service: Service, token: string, status: number, about: RegExp) {
  for (const size of SIZES) {
    for (const path of [`new/${size}`, `kept/${size}`]) {
      const answer = await upload(service, token, randomBytes(size + 1, size), { 'X-Path': path })
      await expectError(answer, status, about)
    }
    expect((await read(service, `new/${size}`)).status).toBe(404)
  }
  await expectAll(service, 'kept')
}
/** After the trouble the service continues by itself, and a restart finds everything in order. */
async function expectRecovery(service: Service, token: string): Promise<void> {
  await storeAll(service, token, 'after')
  await service.restart()
  for (const folder of ['kept', 'after']) await expectAll(service, folder)
  expect((await read(service, 'new/10')).status).toBe(404)
  expect(await disk(service)).toMatchObject({ status: 200, ok: true })
  const { code, stdout } = await service.command('check')
  expect([code, stdout]).toEqual([0, expect.any(String)])
}

test.skipIf(unmountable !== null)(`no inode is left: room is made through the service${where}`, async () => {
  await using folder = await openFolder()
  const dataDir = folder.path
  mount(dataDir, 128, 400)
  try {
    await using service = await startService({ dataDir, env: ADMIN_ENV, mode: 'embedded' })
    const token = await service.createToken('--may-delete')
    await storeAll(service, token, 'kept')
    for (const path of ['gone/a', 'gone/b', 'gone/c']) await store(service, token, path, path)
    const ballast = join(dataDir, 'ballast')
    await fillInodes(ballast)
    await expectRefusals(service, token, 507, /erschöpft/)
    expect(await disk(service)).toMatchObject({ status: 503, ok: false, code: 'check-disk-full' })

    const session = await signIn(service)
    const [kept, emptied] = await throwAway(service, session, 'gone/a', 'gone/b')
    expect((await trashOf(service, session)).gesamt).toBe(2)
    expect((await restore(service, session, kept!)).abgelehnt).toEqual([])
    expect(await (await read(service, 'gone/a')).text()).toBe('gone/a')
    expect(await emptyTrash(service, session, [emptied!])).toMatchObject({ entfernt: 1 })
    expect((await remove(service, token, 'gone/c')).status).toBe(200)

    await rm(ballast, { recursive: true })
    await expectRecovery(service, token)
  } finally {
    unmount(dataDir)
  }
})

test.skipIf(unmountable !== null)(`the disk becomes read-only and writable again${where}`, async () => {
  await using folder = await openFolder()
  const dataDir = folder.path
  try {
    await using service = await startService({ dataDir, env: ADMIN_ENV, mode: 'embedded' })
    const token = await service.createToken()
    await storeAll(service, token, 'kept')
    mountReadOnly(dataDir)
    await expectRefusals(service, token, 503, /schreibgeschützt/)
    expect(await disk(service)).toMatchObject({ status: 503, ok: false, code: 'check-disk-refuses' })
    remountWritable(dataDir)
    await expectRecovery(service, token)
  } finally {
    unmount(dataDir)
  }
})
