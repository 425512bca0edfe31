/** On a completely full disk, files can still be deleted through the service. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expectError, read, store, upload } from '../support/api.ts'
import { randomBytes } from '../support/bytes.ts'
import { ADMIN_ENV, dash, signIn } from '../support/dashboard.ts'
import { openFolder } from '../support/folder.ts'
import { fill, mount, mountProblem, unmount } from '../support/mounts.ts'
import { type Service, startService } from '../support/service.ts'
import { emptyTrash, trashOf } from '../support/trash.ts'
import { eventually } from '../support/wait.ts'

setDefaultTimeout(180_000)
const MB = 1024 * 1024
const FILES = Array.from({ length: 300 }, (_, nr) => `many/${nr}.txt`)

/** A service on a small disk of its own, which is filled after some files were stored. */
async function onFullDisk(use: (on: { service: Service; token: string; ballast: string }) => Promise<void>) {
  await using folder = await openFolder()
  const dataDir = folder.path
  mount(dataDir, 128)
  try {
    await using service = await startService({ dataDir, env: ADMIN_ENV })
    const token = await service.createToken('--may-delete')
    await eventually('the reserve', () => reserveOf(service) > 0)
    await Promise.all(FILES.map(path => store(service, token, path, path)))
    await store(service, token, 'large/a.bin', randomBytes(1, 24 * MB))
    await store(service, token, 'large/b.bin', randomBytes(2, 24 * MB))
    const ballast = join(dataDir, 'ballast')
    await fill(ballast, 200 * MB)
    await use({ service, token, ballast })
  } finally {
    unmount(dataDir)
  }
}
const reserveOf = ({ dataDir }: Service) =>
  statSync(join(dataDir, 'reserve'), { throwIfNoEntry: false })?.size ?? -1

/** Changes paths until the database log has to grow and the reserve is used up. */
async function exhaust(service: Service, session: string): Promise<void> {
  for (let round = 0; reserveOf(service) > 0; round++) {
    expect(round).toBeLessThan(200)
    const [ordner, name] = round % 2 === 0 ? ['many', 'other'] : ['other', 'many']
    const renamed = await dash(service, 'folders/umbenennen', { json: { ordner, name }, session })
    expect(renamed.status).toBe(200)
  }
}

const unmountable = mountProblem()
const where = unmountable === null ? '' : `: ${unmountable}`

test.skipIf(unmountable !== null)(`sign-in, deleting and emptying the trash work${where}`, async () => {
  await onFullDisk(async ({ service, token, ballast }) => {
    await expectError(
      await upload(service, token, randomBytes(3, MB), { 'X-Path': 'no.bin' }),
      507,
      /gespeichert/,
    )
    const session = await signIn(service)
    await exhaust(service, session)
    const thrown = await dash(service, 'media/loeschen', { json: { pfade: FILES }, session })
    await dash(service, 'folders/loeschen', { json: { ordner: 'other' }, session })
    expect(thrown.status).toBe(200)
    expect((await trashOf(service, session)).gesamt).toBe(FILES.length)
    await emptyTrash(service, session)
    expect((await trashOf(service, session)).gesamt).toBe(0)
    const deleted = await fetch(`${service.url}/api/media/large/a.bin`, {
      method: 'DELETE',
      headers: { Authorization: `Bearer ${token}` },
    })
    expect(deleted.status).toBe(200)
    expect((await read(service, 'large/a.bin')).status).toBe(404)

    // The first space that becomes free is reserved again; the rest is for uploads.
    await rm(ballast)
    await store(service, token, 'after.bin', randomBytes(4, MB))
    expect(reserveOf(service)).toBeGreaterThan(0)
  })
})

test.skipIf(unmountable !== null)(`while the reserve is given up nothing is stored${where}`, async () => {
  await onFullDisk(async ({ service, token }) => {
    await exhaust(service, await signIn(service))
    for (const size of [10, 10_000, MB])
      await expectError(
        await upload(service, token, randomBytes(size, size), { 'X-Path': `no/${size}` }),
        507,
      )
    await service.restart()
    expect((await trashOf(service, await signIn(service))).gesamt).toBe(0)
  })
})
