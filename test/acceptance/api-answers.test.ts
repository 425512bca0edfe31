/**
 * The answers agree with the API document: the calls of other acceptance tests pass through a proxy that
 * compares every answer with the document of the service that gave it (status, media type, error code, shape
 * of the body).
 */
import { describe, expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ApiDocument, createJudge } from '../support/described.ts'
import { useFolder } from '../support/folder.ts'
import { sharedService } from '../support/shared-service.ts'

const on = sharedService()
const folder = await useFolder()
const documentOf = async () =>
  (await (await fetch(`${on.service.url}/api/openapi.json`)).json()) as ApiDocument

/** Files whose calls reach many routes, with their errors. */
const FILES = [
  ...[
    'upload-bodies',
    'upload-headers',
    'exists-delete',
    'compat-routes',
    'tickets',
    'digests',
    'form-bodies',
  ],
  ...[
    'last-modified',
    'shares',
    'share-page',
    'drop-links',
    'export',
    'dash-query',
    'dash-library-rename',
    'dash-content',
  ],
  ...[
    'dash-library-folders',
    'dash-library-result',
    'trash',
    'retention',
    'token-routes',
    'settings',
    'history',
  ],
]

test('every answer to these tests is described', async () => {
  const list = join(folder, 'judged')
  const root = join(import.meta.dir, '../..')
  const preload = join(root, 'test/support/judged-fetch.ts')
  const files = FILES.map(name => join(root, 'test/acceptance', `${name}.test.ts`))
  const child = Bun.spawn([process.execPath, 'test', '--timeout=180000', '--preload', preload, ...files], {
    ...{ cwd: root, stdout: 'pipe', stderr: 'pipe' },
    env: { ...process.env, FUNDUS_TEST_JUDGED: list },
  })
  await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  const lines = (await readFile(list, 'utf8')).trim().split('\n')
  const judged = lines.filter(line => line !== 'not described')
  expect([...new Set(judged.filter(line => line !== 'ok'))].sort()).toEqual([])
  expect(judged.length).toBeGreaterThan(1000)
}, 600_000)

describe('the document', () => {
  test('names each status with the codes of its sentences, and nothing by default', async () => {
    const { paths } = await documentOf()
    const { responses } = paths['/api/upload']!.post!
    expect(Object.keys(responses)).not.toContain('default')
    expect(responses[409]!.headers!['X-Fehler-Code']!.schema.enum).toEqual(['path-taken'])
    expect(Object.keys(paths['/f/{pfad}']!.get!.responses)).toEqual(
      expect.arrayContaining(['200', '206', '304', '404', '412', '416']),
    )
    expect(Object.keys(paths['/api/dash/export']!.get!.responses[200]!.content!)).toEqual([
      ...['application/json', 'text/csv', 'text/x-lua'],
    ])
    expect(Object.keys(paths['/api/dash/sicherung']!.post!.responses)).toContain('202')
  })
})

describe('the judge finds', () => {
  const answer = { method: 'POST', path: '/api/upload', status: 200, body: null }
  const json = (code?: string) =>
    new Headers({ 'Content-Type': 'application/json', ...(code && { 'X-Fehler-Code': code }) })
  const stored = { url: 'u', path: 'p', size: 1, sha256: 's', mime: 'm', replaced: false }

  test.each([
    ['another status', { ...answer, status: 299, headers: json() }, /status 299/],
    ['another code', { ...answer, status: 409, headers: json('share-absent') }, /share-absent/],
    ['another type', { ...answer, headers: new Headers({ 'Content-Type': 'text/html' }) }, /text\/html/],
    ['a missing field', { ...answer, headers: json(), body: '{"url": "u"}' }, /body/],
    [
      'a field of another type',
      { ...answer, headers: json(), body: JSON.stringify({ ...stored, size: '1' }) },
      /body/,
    ],
    ['the twin: nothing', { ...answer, headers: json(), body: JSON.stringify(stored) }, null],
    ['the twin: a described error', { ...answer, status: 409, headers: json('path-taken') }, null],
  ])('%s', async (_, exchange, wrong) => {
    const found = createJudge(await documentOf())(exchange)
    if (wrong) expect(found).toMatch(wrong)
    else expect(found).toBe('ok')
  })
})
