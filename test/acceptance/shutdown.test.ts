/**
 * SIGTERM during a request that never ends, and SIGHUP. `lifecycle.test.ts` and `test/long/workers/` cover
 * the other signals.
 */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { exists, read, store } from '../support/api.ts'
import { randomBytes } from '../support/bytes.ts'
import { stagedFiles } from '../support/data-folder.ts'
import { leftToLong } from '../support/left-out.ts'
import { png } from '../support/pictures.ts'
import { descendants, isAlive } from '../support/processes.ts'
import { head, openRaw } from '../support/raw.ts'
import { type Service, startService } from '../support/service.ts'
import { eventually } from '../support/wait.ts'

setDefaultTimeout(180_000)

const countStaged = async (service: Service) => (await stagedFiles(service.dataDir)).length

/** An upload of which only a part arrives. */
async function startUpload(service: Service, token: string, path: string) {
  const connection = await openRaw(service.port)
  const headers = { Authorization: `Bearer ${token}`, 'X-Path': path, 'Content-Length': 1_000_000 }
  await connection.write(head('POST /api/upload', headers))
  await connection.write(randomBytes(1, 500_000))
  await eventually('something staged', async () => (await countStaged(service)) > 0)
  return connection
}

describe('a request that does not end', () => {
  leftToLong(
    'is cut off when patience is over: exit code 0, no file, nothing staged, and the log says so',
    async () => {
      await using service = await startService({ ownProcess: true, env: { STOP_PATIENCE_MS: '600' } })
      const token = await service.createToken()
      using _connection = await startUpload(service, token, 'never/ends.bin')
      const begun = Date.now()
      expect(await service.stop()).toBe(0)
      expect(Date.now() - begun).toBeGreaterThan(500)
      expect(await countStaged(service)).toBe(0)
      expect(service.logs()).toContainEqual(
        expect.objectContaining({ message: 'requests were cut off', requests: 1 }),
      )
      await service.restart()
      expect(await exists(service, token, 'never/ends.bin')).toBe(false)
    },
  )

  test('is waited for as long as patience lasts', async () => {
    await using service = await startService({ ownProcess: true, env: { STOP_PATIENCE_MS: '20000' } })
    const token = await service.createToken()
    using connection = await startUpload(service, token, 'slow/ends.bin')
    const stopped = service.stop()
    await eventually('told to stop', () => service.logs().some(line => line.message === 'stopping'))
    await connection.write(randomBytes(2, 500_000))
    expect((await connection.answer()).status).toBe(200)
    expect(await stopped).toBe(0)
    expect(service.logs().some(line => line.message === 'requests were cut off')).toBe(false)
    await service.restart()
    expect(await exists(service, token, 'slow/ends.bin')).toBe(true)
  })

  leftToLong('is not waited for at a second signal', async () => {
    await using service = await startService({ ownProcess: true })
    const token = await service.createToken()
    await store(service, token, 'a.png', await png({ width: 400, height: 300 }))
    await read(service, 'a.png', { Accept: 'image/webp' })
    using _connection = await startUpload(service, token, 'never/ends.bin')
    const family = descendants(service.pid)
    expect(family).not.toBeEmpty()
    const stopped = service.stop()
    await eventually('told to stop', () => service.logs().some(line => line.message === 'stopping'))
    process.kill(service.pid, 'SIGTERM')
    expect(await stopped).toBe(143)
    await eventually('its children gone', () => !family.some(isAlive))
  })
})

test('SIGHUP, which has several workers replaced, leaves one process alone', async () => {
  await using service = await startService({ ownProcess: true, env: { WORKERS: '1' } })
  const token = await service.createToken()
  process.kill(service.pid, 'SIGHUP')
  await eventually('it says so', () => service.logs().some(({ signal }) => signal === 'SIGHUP'))
  await store(service, token, 'still/there.txt', 'there')
  expect(await service.stop()).toBe(0)
})
