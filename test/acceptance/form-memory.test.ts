/**
 * A form may carry much data beside its file. None of it stays in memory, and its size is limited, whether
 * announced or not.
 */

import { describe, expect, test } from 'bun:test'
import { expectError, read } from '../support/api.ts'
import { ADMIN_ENV, signIn } from '../support/dashboard.ts'
import { leavesNothing } from '../support/data-folder.ts'
import { isOrdinaryRun } from '../support/left-out.ts'
import { PADDING_PLACES, sendPaddedForm } from '../support/padded-form.ts'
import { memoryOf } from '../support/processes.ts'
import { sharedService } from '../support/shared-service.ts'

const MEGABYTE = 1024 * 1024
const PADDING = isOrdinaryRun ? 96 : 160

const on = sharedService({ ownProcess: true, env: { ...ADMIN_ENV, MAX_UPLOAD_MB: '512' } })

describe(`${PADDING} MB beside the file of a form in chunks do not stay in memory`, () => {
  test.each(PADDING_PLACES)('%s', async place => {
    const path = `beside/${PADDING_PLACES.indexOf(place)}.bin`
    const before = memoryOf(on.service.pid)
    let most = 0
    const response = await sendPaddedForm(on.service.port, {
      request: 'POST /api/upload',
      headers: { Authorization: `Bearer ${on.token}`, 'X-Path': path },
      place,
      megabytes: PADDING,
      onProgress: () => {
        most = Math.max(most, memoryOf(on.service.pid))
      },
    })
    expect(response.status).toBe(200)
    expect(await (await read(on.service, path)).text()).toBe('kept')
    expect(most).toBeGreaterThan(0)
    expect((most - before) / MEGABYTE).toBeLessThan(60)
  })
})

describe('a form in chunks has an end', () => {
  test.each(PADDING_PLACES)('with a token of one byte: %s', async place => {
    const token = await on.tokenWith('--max-file', '1', '--quota', '1')
    await leavesNothing(on.service.dataDir, async () => {
      const response = await sendPaddedForm(on.service.port, {
        request: 'POST /api/v3/file',
        headers: { Authorization: `Bearer ${token}` },
        field: { name: 'file', value: 'x' },
        place,
        megabytes: 100,
      })
      await expectError(response, 413)
    })
  })

  test.each(['export', 'herunterladen'])('with the names of files: %s', async route => {
    const Cookie = `fundus_sitzung=${await signIn(on.service)}`
    for (const place of PADDING_PLACES) {
      const response = await sendPaddedForm(on.service.port, {
        request: `POST /api/dash/${route}`,
        headers: { Cookie },
        field: { name: 'pfade', value: '["a.txt"]' },
        place,
        megabytes: 100,
      })
      expect([place, response.status]).toEqual([place, 413])
    }
  })
})
