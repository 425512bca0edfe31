/**
 * Retention on two instances with PostgreSQL and an object store: both run at once, and every file is moved
 * once.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { findCeph } from '../support/ceph.ts'
import { ADMIN_ENV, dash, signIn } from '../support/dashboard.ts'
import { onDatabase } from '../support/data-folder.ts'
import { findPostgres } from '../support/postgres.ts'
import { seedFiles } from '../support/seed.ts'
import { type Service, startService } from '../support/service.ts'
import { findTool, needsTool } from '../support/tools.ts'

setDefaultTimeout(180_000)
needsTool('postgresql', findPostgres)
needsTool('radosgw', findCeph)

const FILES = 5000
let service: Service
let session = ''
beforeAll(async () => {
  if (!findTool('postgresql', findPostgres) || !findTool('radosgw', findCeph)) return
  service = await startService({ mode: 'shared', ownProcess: true, env: ADMIN_ENV })
  session = await signIn(service)
})
afterAll(() => service?.[Symbol.asyncDispose]())

test('two instances run the rules at the same time: each file goes once, in one entry of the history', async () => {
  await seedFiles(service.dataDir, 'alt', FILES)
  const regeln = [{ ordner: '', tage: 30, ab: 'abgerufen' }]
  expect((await dash(service, 'fristen', { method: 'PUT', json: { regeln }, session })).status).toBe(200)
  const answers = await Promise.all(
    service.instances.map(({ url }) =>
      fetch(`${url}/api/dash/fristen/ausfuehren`, {
        method: 'POST',
        headers: { Cookie: `fundus_sitzung=${session}` },
      }),
    ),
  )
  let moved = 0
  for (const answer of answers) {
    expect([200, 409]).toContain(answer.status)
    if (answer.ok) moved += ((await answer.json()) as { dateien: number }).dateien
  }
  expect(moved).toBe(FILES)
  const count = async (table: string, where = 'true') =>
    Number(
      (
        await onDatabase<{ n: number }>(service.dataDir, `select count(*) as n from ${table} where ${where}`)
      )[0]!.n,
    )
  expect([
    await count('media', "path like 'alt/%'"),
    await count('trash', "removal_reason = 'frist'"),
    await count('history', "what = 'geloescht'"),
    await count('history', "what = 'geloescht' and follows = 0"),
  ]).toEqual([0, FILES, FILES, 1])
})

test('the indexes find what is due in a folder, without reading the others', async () => {
  for (let at = 0; at < 20; at++) await seedFiles(service.dataDir, `viel-${at}-`, 1000)
  await onDatabase(service.dataDir, 'analyze media')
  const stored = 'case when restored_at > updated_at then restored_at else updated_at end'
  const used = `case when retrieved_at > ${stored} then retrieved_at else ${stored} end`
  for (const [since, index] of [
    [stored, 'media_stored_since'],
    [used, 'media_used_since'],
  ]) {
    const plan = await onDatabase<Record<string, string>>(
      service.dataDir,
      `explain select count(*), sum(size) from media where folder in ('viel-1-/') and (${since}) <= 1700000000005`,
    )
    expect(plan.map(row => Object.values(row)[0]).join('\n')).toContain(index!)
  }
})
