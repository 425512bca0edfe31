import { describe, expect, test } from 'bun:test'
import { read, store, upload } from '../support/api.ts'
import { ADMIN_ENV, dash, signIn } from '../support/dashboard.ts'
import { objectFiles, removeObject } from '../support/data-folder.ts'
import { atInstance } from '../support/service.ts'
import { sharedService } from '../support/shared-service.ts'
import { eventually } from '../support/wait.ts'

const on = sharedService({ env: { ...ADMIN_ENV, LOG_LEVEL: 'debug' } })
const HEADER = 'X-Request-Id'

const linesOf = (id: string) => on.service.logs().filter(line => line.request === id)
/** The log line of a request is written before its answer, but arrives through a pipe. */
const lineOf = (id: string) =>
  eventually(`a line of ${id}`, () => linesOf(id).find(line => line.message === 'request'))

describe('an id', () => {
  test.each([
    ['the open routes', 'health'],
    ['an unknown route', 'nowhere'],
    ['token routes, refused', 'api/exists?pfad=a'],
    ['the dashboard, refused', 'api/dash/ich'],
    ['share links', 's/unknown'],
    ['a file that is not there', 'f/unknown.png'],
    ['a preview that is not there', 't/unknown.png.webp'],
  ])(
    'is in the answer of %s, a new one each time, and one that is brought along is kept',
    async (_, path) => {
      const ask = (headers = {}) => fetch(`${on.service.url}/${path}`, { headers })
      const [one, other] = [(await ask()).headers.get(HEADER), (await ask()).headers.get(HEADER)]
      expect(one).toMatch(/^[0-9a-z]{10}$/)
      expect(other).not.toBe(one)
      expect((await ask({ [HEADER]: 'From-my_proxy.1' })).headers.get(HEADER)).toBe('From-my_proxy.1')
    },
  )

  test.each(['<b>', 'a b', 'x'.repeat(65), '"},{"'])('that is unfit is not taken over: %s', async id => {
    const response = await fetch(`${on.service.url}/health`, { headers: { [HEADER]: id } })
    expect(response.headers.get(HEADER)).toMatch(/^[0-9a-z]{10}$/)
  })

  test('is not made for a file that is there, nor is a line written', async () => {
    await store(on.service, on.token, 'ids/quiet.txt', 'x')
    for (let round = 0; round < 3; round++) {
      const response = await read(on.service, 'ids/quiet.txt', { [HEADER]: 'quiet-read' })
      expect([response.status, response.headers.has(HEADER)]).toEqual([200, false])
    }
    await lineOf((await fetch(`${on.service.url}/health`)).headers.get(HEADER)!)
    expect(linesOf('quiet-read')).toEqual([])
  })
})

describe('the log', () => {
  test('has one line for each request: changes at info, reading at debug', async () => {
    await upload(on.service, on.token, 'x', { 'X-Path': 'ids/a.txt', [HEADER]: 'changing' })
    await fetch(`${on.service.url}/api/exists?pfad=ids/a.txt`, {
      headers: { Authorization: `Bearer ${on.token}`, [HEADER]: 'reading' },
    })
    const fields = { method: 'POST', path: '/api/upload', status: 200, ms: expect.any(Number) }
    expect(await lineOf('changing')).toMatchObject({ level: 'info', ...fields })
    expect(await lineOf('reading')).toMatchObject({ level: 'debug', method: 'GET', path: '/api/exists' })
    expect([linesOf('changing').length, linesOf('reading').length]).toEqual([1, 1])
  })

  test('tells no token, key, cookie, password or share key', async () => {
    const session = await signIn(on.service)
    await dash(on.service, 'ich', { session, headers: { [HEADER]: 'with-session' } })
    const share = await dash(on.service, 'freigaben', { session, json: { ordner: 'ids' } })
    const { schluessel } = (await share.json()) as { schluessel: string }
    await fetch(`${on.service.url}/s/${schluessel}`, { headers: { [HEADER]: 'with-share' } })
    await fetch(`${on.service.url}/api/image?apiKey=${on.token}`, {
      method: 'POST',
      headers: { [HEADER]: 'with-key' },
    })
    for (const id of ['with-session', 'with-share', 'with-key']) await lineOf(id)
    for (const secret of [on.token, session, schluessel, ADMIN_ENV.ADMIN_PASSWORD, 'apiKey'])
      expect(on.service.output()).not.toContain(secret)
  })

  test('a 500 has its id as number in the sentence, in the header and in the line with the cause', async () => {
    // The instance that stored a file has it in its cache.
    const [one, other] = [atInstance(on.service, 0), atInstance(on.service, -1)]
    await store(one, on.token, 'ids/lost.txt', 'x')
    const [object = ''] = await objectFiles(on.service.dataDir, 'ids/lost.txt')
    await removeObject(on.service.dataDir, object)
    const response = await read(other, 'ids/lost.txt', { [HEADER]: 'lost-file' })
    expect([response.status, response.headers.get(HEADER)]).toEqual([500, 'lost-file'])
    expect(await response.text()).toContain('Nummer lost-file')
    const line = await eventually('the line', () => linesOf('lost-file')[0])
    expect(line).toMatchObject({ level: 'error', cause: expect.stringContaining('missing') })
  })
})
