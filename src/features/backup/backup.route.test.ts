import { expect, test } from 'bun:test'
import type { Context } from 'hono'
import { nextTurn } from '../../../test/support/wait.ts'
import type { SignedInCaller } from '../../http/access/callers.ts'
import { backupRoutes } from './backup.route.ts'
import type { Backup } from './backup.ts'

/** The answer to `POST …?warten=1` while the report is not finished. */
async function waiting(report: Promise<unknown>): Promise<Response> {
  const backup = { start: async () => ({ report }) } as unknown as Backup
  const post = backupRoutes({ backup, heartbeatInterval: 5 }).find(({ method }) => method === 'POST')!
  const context = { req: { query: () => ({ warten: '1' }) } } as unknown as Context
  return post.handle(context, { account: { role: 'betreiber', folders: null } } as SignedInCaller)
}

test('a long wait is kept alive by blanks, and ends with the report as JSON', async () => {
  const report = Promise.withResolvers<unknown>()
  const answer = await waiting(report.promise)
  const reader = answer.body!.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (let beats = 0; beats < 3; beats++) text += decoder.decode((await reader.read()).value)
  expect(text).toBe('   ')
  report.resolve({ ok: true })
  for (let part = await reader.read(); !part.done; part = await reader.read())
    text += decoder.decode(part.value)
  expect(JSON.parse(text)).toEqual({ ok: true })
})

test('whoever goes meanwhile is not written to', async () => {
  const report = Promise.withResolvers<unknown>()
  const answer = await waiting(report.promise)
  await answer.body!.cancel()
  report.resolve({ ok: true })
  await nextTurn()
})

test('a report that cannot be had breaks the answer', async () => {
  const answer = await waiting(Promise.reject(new Error('no database')))
  await expect(answer.text()).rejects.toThrow('no database')
})
