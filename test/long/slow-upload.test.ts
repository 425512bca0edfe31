/** An upload that makes hardly any progress is aborted. */
import { expect, test } from 'bun:test'
import { expectError } from '../support/api.ts'
import { leavesNothing } from '../support/data-folder.ts'
import { head, openRaw } from '../support/raw.ts'
import { startService } from '../support/service.ts'

test('an upload of one byte a second is answered with 408 and leaves nothing', async () => {
  await using service = await startService({ ownProcess: true })
  const token = await service.createToken()
  using connection = await openRaw(service.port)
  const headers = { Authorization: `Bearer ${token}`, 'X-Path': 'slow/a.bin', 'Content-Length': 1_000_000 }
  await leavesNothing(service.dataDir, async () => {
    await connection.write(head('POST /api/upload', headers))
    const dripping = setInterval(() => void connection.write('x'), 1000)
    const answer = await connection.answer({ deadlineMs: 150_000 }).finally(() => clearInterval(dripping))
    expect(answer.headers.get('x-fehler-code')).toBe('request-slow')
    await expectError(answer, 408)
  })
}, 200_000)
