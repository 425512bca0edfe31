/**
 * A very large ZIP is written while it is read: memory grows neither with its length nor with a reader that
 * stops.
 */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { store } from '../support/api.ts'
import { randomBytes } from '../support/bytes.ts'
import { ADMIN_ENV, signIn } from '../support/dashboard.ts'
import { memoryOf } from '../support/processes.ts'
import { head, openRaw } from '../support/raw.ts'
import { sharedService } from '../support/shared-service.ts'

setDefaultTimeout(600_000)

const MEGABYTE = 1024 * 1024
const FILES = 32
const SIZE = 64 * MEGABYTE

const on = sharedService({ ownProcess: true, onDisk: true, env: ADMIN_ENV })

test('a ZIP download of 2 GB, and one whose reader stops reading, cost less than a tenth of it', async () => {
  const body = randomBytes(1, SIZE)
  for (let at = 0; at < FILES; at++) await store(on.service, on.token, `viel/${at}.bin`, body)
  const Cookie = `fundus_sitzung=${await signIn(on.service)}`
  const before = memoryOf(on.service.pid)
  let most = 0
  const look = () => {
    most = Math.max(most, memoryOf(on.service.pid))
  }

  using stalled = await openRaw(on.service.port)
  await stalled.write(head('GET /api/dash/herunterladen?ordner=viel', { Cookie }))
  stalled.pause()

  const response = await fetch(`${on.service.url}/api/dash/herunterladen?ordner=viel`, {
    headers: { Cookie },
  })
  expect(response.status).toBe(200)
  let length = 0
  let looks = 0
  for await (const piece of response.body!) {
    length += piece.length
    if (length > (looks + 1) * 16 * MEGABYTE) {
      looks++
      look()
    }
  }
  look()
  expect(length).toBeGreaterThan(FILES * SIZE)
  console.log(
    `a ZIP of ${Math.round(length / MEGABYTE)} MB: ${Math.round((most - before) / MEGABYTE)} MB more than before`,
  )
  expect((most - before) / MEGABYTE).toBeLessThan(200)
})
