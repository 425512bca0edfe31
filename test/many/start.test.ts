/**
 * Reasons for which a service of several machines does not start: each is a sentence, and nothing is changed.
 */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { expectSameBytes } from '../support/api.ts'
import { findCeph } from '../support/ceph.ts'
import { onDatabase } from '../support/data-folder.ts'
import { useFolder } from '../support/folder.ts'
import type { Environment } from '../support/host-client.ts'
import { findPostgres } from '../support/postgres.ts'
import { type ServiceOptions, startService } from '../support/service.ts'
import { newPlace } from '../support/shared-place.ts'
import { needsTool } from '../support/tools.ts'

setDefaultTimeout(120_000)
needsTool('postgresql', findPostgres)
needsTool('radosgw', findCeph)

/** The last line of the output of a service that does not start. */
async function refusal(env: Environment, options: ServiceOptions = {}): Promise<string> {
  try {
    await using service = await startService({ mode: 'shared', instances: 1, env, ...options })
    return `it started on ${service.port}`
  } catch (error) {
    return (error as Error).message.trim().split('\n').at(-1)!
  }
}

test.each<[string, Environment, RegExp]>([
  ['without PUBLIC_URL', { PUBLIC_URL: '' }, /PUBLIC_URL fehlt/],
  ['with half of its configuration', { S3_REGION: '' }, /nur zusammen.*Es fehlt S3_REGION/],
  ['with a key that the store does not know', { S3_ACCESS_KEY_ID: 'nobody' }, /weist den Schlüssel ab/],
  ['with a wrong secret', { S3_SECRET_ACCESS_KEY: 'wrong' }, /weist den Schlüssel ab/],
  ['on a bucket that is not there', { S3_BUCKET: 'fundus-absent' }, /gibt es den Bucket fundus-absent nicht/],
  ['on a store that does not answer', { S3_ENDPOINT: 'http://127.0.0.1:1' }, /antwortet nicht/],
  [
    'on a database that does not answer',
    { DATABASE_URL: 'postgres://x:geheim@127.0.0.1:1/f' },
    /antwortet nicht/,
  ],
  ['on a server that flushes nothing', { FUNDUS_TEST_UNFLUSHED: '' }, /fsync = off/],
])('%s the start is refused', async (_, env, sentence) => {
  const said = await refusal(env)
  expect(said).toMatch(/^fundus: [A-Z].*\.$/)
  expect(said).toMatch(sentence)
  expect(said).not.toContain('geheim')
})

test('on a schema that is newer than the program the start is refused', async () => {
  const dataDir = await useFolder()
  const place = await newPlace()
  await (await startService({ place, dataDir, instances: 1 }))[Symbol.asyncDispose]()
  await onDatabase(dataDir, "insert into migration (name, applied_at) values ('9999-from-the-future', 0)")
  expect(await refusal({}, { place, dataDir })).toMatch(/neueren Version von Fundus/)
})

test('on the bucket of another database the start is refused', async () => {
  const [one, other] = [await newPlace(), await newPlace()]
  await using service = await startService({ place: one, instances: 1 })
  const token = await service.createToken()
  const headers = { Authorization: `Bearer ${token}`, 'X-Path': 'a.txt' }
  await fetch(`${service.url}/api/upload`, { method: 'POST', body: 'kept', headers })
  const said = await refusal({ S3_BUCKET: one.bucket.bucket }, { place: other })
  expect(said).toMatch(/gehört zu einer anderen Datenbank/)
  expectSameBytes(await (await fetch(`${service.url}/f/a.txt`)).bytes(), Buffer.from('kept'))
})

test('the twin: with all of it the service starts, and a saved PUBLIC_URL counts as given', async () => {
  await using service = await startService({ mode: 'shared' })
  expect((await fetch(`${service.url}/health`)).status).toBe(200)
  await service.command('settings', 'set', 'PUBLIC_URL', 'https://media.example.org')
  await service.restart({ PUBLIC_URL: '' })
  expect((await fetch(`${service.url}/health`)).status).toBe(200)
})
