/** Windows cannot distribute connections to one port over several processes. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { startService } from '../support/service.ts'

setDefaultTimeout(180_000)

test('more than one worker asked for: one process runs, and the log says so', async () => {
  const env = { WORKERS: 'auto' }
  await using service = await startService({ dataDir: 'C:\\one-worker', ownProcess: true, env })
  const messages = service.logs().map(({ message }) => message)
  expect(messages).toContain('only Linux spreads one port over several workers: one runs')
})
