/** The fields of a form do not stay in memory: 2 GB on one connection, and four connections through nginx. */
import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { PADDING_PLACES, type PaddingPlace, sendPaddedForm } from '../support/padded-form.ts'
import { memoryOf } from '../support/processes.ts'
import { findProxy, PROXIES, startProxy } from '../support/proxies.ts'
import { sharedService } from '../support/shared-service.ts'
import { needsTool } from '../support/tools.ts'

setDefaultTimeout(600_000)

const MEGABYTE = 1024 * 1024
const on = sharedService({ ownProcess: true, env: { MAX_UPLOAD_MB: '3000' } })

/** Peak growth of the process in megabytes while these forms are sent concurrently. */
async function growth(port: number, megabytes: number, places: readonly PaddingPlace[]): Promise<number> {
  const before = memoryOf(on.service.pid)
  let most = 0
  const answers = places.map((place, at) =>
    sendPaddedForm(port, {
      request: 'POST /api/upload',
      headers: { Authorization: `Bearer ${on.token}`, 'X-Path': `beside/${at}.bin` },
      place,
      megabytes,
      onProgress: () => {
        most = Math.max(most, memoryOf(on.service.pid))
      },
    }),
  )
  for (const { status } of await Promise.all(answers)) expect(status).toBe(200)
  const grown = (most - before) / MEGABYTE
  console.log(`${places.join(', ')}: ${megabytes} MB each, ${Math.round(grown)} MB more than before`)
  return grown
}

// The first long form lets the heap grow to its usual size.
beforeAll(() => growth(on.service.port, 256, ['before the first part']))

test.each(PADDING_PLACES)('2 GB %s cost less than 60 MB', async place => {
  expect(await growth(on.service.port, 2048, [place])).toBeLessThan(60)
})

describe('through the documented nginx', () => {
  needsTool(PROXIES.nginx.package, () => findProxy('nginx'))
  test('280 MB on each of four connections cost less than 60 MB', async () => {
    await using proxy = await startProxy('nginx', on.service.port)
    expect(await growth(proxy.port, 280, PADDING_PLACES)).toBeLessThan(60)
  })
})
